import FoundationGaps

/// An object of a Core Data XML store, read without a model.
struct XMLStoreObject {
    let node: XMLNode
    let file: URL

    /// The name of the entity, in capitals.
    var type: String { node["type"] ?? "" }

    /// The text of an attribute; nil if there is none or it is empty.
    func text(_ attribute: String) throws -> String? {
        guard let element = element("attribute", named: attribute) else { return nil }
        do {
            let text = try XMLReader.text(of: element)
            return text.isEmpty ? nil : Self.unescaped(text)
        } catch {
            throw failure(error.reason, attribute: attribute)
        }
    }

    /// The integer of an attribute.
    func integer(_ attribute: String) throws -> Int? {
        try text(attribute).map { text in
            guard let number = Int(text) else {
                throw failure("'\(text)' is not an integer", attribute: attribute)
            }
            return number
        }
    }

    /// The keyed archive in an attribute.
    func archive(_ attribute: String) throws -> KeyedArchive? {
        try text(attribute).map { text in
            // Byte by byte, because the models in a file have millions of digits.
            let digits = Data(text.utf8.filter { $0 > UInt8(ascii: " ") })
            guard let data = Data(base64Encoded: digits) else {
                throw failure("it is not in Base64", attribute: attribute)
            }
            return try parsing(attribute) { try KeyedArchive(data) }
        }
    }

    /// The archived expression in an attribute.
    func expression(_ attribute: String) throws -> NSExpression? {
        guard let archive = try archive(attribute) else { return nil }
        guard let object = archive.object() else {
            throw failure("the archive has no expression", attribute: attribute)
        }
        let expression = try parsing(attribute) { try ArchivedPredicate.expression(object) }
        if archive.isExhausted {
            throw failure("the archive contains its parts too often", attribute: attribute)
        }
        return expression
    }

    /// The identifiers of the objects that a relationship leads to.
    func references(_ relationship: String) -> [String] {
        let identifiers = element("relationship", named: relationship)?["idrefs"] ?? ""
        return identifiers.split(separator: " ").map(String.init)
    }

    /// Calls a closure that reads an attribute, and adds the file to its errors.
    func parsing<Value>(_ attribute: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw failure("it cannot be read: \(error)", attribute: attribute)
        }
    }

    func failure(_ reason: String, attribute: String? = nil) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: file, line: node.line, element: "\(type) \(node["id"] ?? "")",
            attribute: attribute, reason: reason)
    }

    private func element(_ kind: String, named name: String) -> XMLNode? {
        node.children.first { $0.name == kind && $0["name"] == name }
    }

    /// Decodes a string as Core Data encodes it: characters that are special in XML are written as
    /// the two bytes of their UTF-16 code unit, the low one first, such as `\u3c00` for a less-than
    /// sign.
    private static func unescaped(_ text: String) -> String {
        let parts = text.components(separatedBy: "\\u")
        return parts.dropFirst().reduce(into: parts[0]) { result, part in
            guard let unit = UInt16(part.prefix(4), radix: 16), part.prefix(4).utf8.count == 4,
                let scalar = Unicode.Scalar(unit.byteSwapped)
            else {
                result += "\\u" + part
                return
            }
            result.unicodeScalars.append(scalar)
            result += part.dropFirst(4)
        }
    }
}
