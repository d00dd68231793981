/// An element of an XML document, with the line it stands on for messages.
final class XMLNode {
    let name: String
    let line: Int
    let attributes: [String: String]
    fileprivate(set) var children: [XMLNode] = []
    /// What stands between the tags, as it is written.
    fileprivate(set) var content: ArraySlice<UInt8> = []

    init(name: String, line: Int, attributes: [String: String]) {
        self.name = name
        self.line = line
        self.attributes = attributes
    }

    /// The children of a given name, in the document's order.
    func children(named name: String) -> [XMLNode] {
        children.filter { $0.name == name }
    }

    subscript(attribute: String) -> String? { attributes[attribute] }
}

/// What makes a text no well-formed XML document, and on which line.
struct XMLSyntaxError: Error {
    let line: Int
    let reason: String
}

/// Reads the elements and attributes of an XML document. Text between elements is read on demand.
///
/// Model files use only this much of XML, and Foundation's parser would make every app link
/// a module and a system library for it.
struct XMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var open: [XMLNode] = []

    /// Model files are five deep. Without a limit letting go of the nodes could exhaust the stack.
    private static let maximumDepth = 100

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text of an element that holds no other elements.
    static func text(of element: XMLNode) throws(XMLSyntaxError) -> String {
        var reader = XMLReader(Array(element.content))
        reader.line = element.line
        return try reader.readText()
    }

    /// The root element of a document in UTF-8.
    static func root(of bytes: [UInt8]) throws(XMLSyntaxError) -> XMLNode {
        var reader = XMLReader(bytes)
        return try reader.readDocument()
    }

    private mutating func readDocument() throws(XMLSyntaxError) -> XMLNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var root: XMLNode?
        while advance(to: "<") {
            if skip("<?") {
                try skipPast("?>")
            } else if skip("<!--") {
                try skipPast("-->")
            } else if skip("<![CDATA[") {
                try skipPast("]]>")
            } else if skip("<!") {
                try skipDeclaration()
            } else if skip("</") {
                try closeElement()
            } else {
                guard root == nil || !open.isEmpty else {
                    throw error("there is a second root element")
                }
                let element = try readElement()
                if root == nil { root = element }
            }
        }
        if let unclosed = open.last {
            throw XMLSyntaxError(
                line: unclosed.line, reason: "the element '\(unclosed.name)' is not closed")
        }
        guard let root else { throw error("there is no element") }
        return root
    }

    // MARK: - Elements

    private mutating func readElement() throws(XMLSyntaxError) -> XMLNode {
        position += 1
        let start = line
        let name = try readName()
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if skip("/>") || skip(">") { break }
            let attribute = try readName()
            skipSpace()
            guard skip("=") else { throw error("the attribute '\(attribute)' has no value") }
            skipSpace()
            let value = try readValue(of: attribute)
            guard attributes.updateValue(value, forKey: attribute) == nil else {
                throw error("the attribute '\(attribute)' is given twice")
            }
        }
        let element = XMLNode(name: name, line: start, attributes: attributes)
        open.last?.children.append(element)
        let isEmpty = bytes[position - 2] == UInt8(ascii: "/")
        element.content = bytes[position..<position]
        if !isEmpty {
            guard open.count < Self.maximumDepth else {
                throw error("elements are nested too deeply")
            }
            open.append(element)
        }
        return element
    }

    private mutating func closeElement() throws(XMLSyntaxError) {
        let end = position - 2
        let name = try readName()
        skipSpace()
        guard skip(">"), let element = open.popLast(), element.name == name else {
            throw error("the end of '\(name)' does not match the start of an element")
        }
        element.content = bytes[element.content.startIndex..<end]
    }

    private mutating func readName() throws(XMLSyntaxError) -> String {
        let start = position
        while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
        guard position > start else { throw error("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readValue(of attribute: String) throws(XMLSyntaxError) -> String {
        guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else {
            throw error("the value of the attribute '\(attribute)' is not quoted")
        }
        let quote = bytes[position]
        position += 1
        var value = ""
        // Runs without references and line ends, which is most of them, are taken whole.
        var start = position
        while position < bytes.count, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "&"):
                value += String(decoding: bytes[start..<position], as: UTF8.self)
                value += try readReference()
                start = position
            case 0x09, 0x0A, 0x0D:
                // XML turns white space within a value into spaces.
                value += String(decoding: bytes[start..<position], as: UTF8.self) + " "
                if bytes[position] == 0x0A { line += 1 }
                position += 1
                start = position
            default:
                position += 1
            }
        }
        guard position < bytes.count else {
            throw error("the value of the attribute '\(attribute)' does not end")
        }
        value += String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return value
    }

    /// Reads to the end, which is the end of an element's content, or to the first element in it.
    private mutating func readText() throws(XMLSyntaxError) -> String {
        var text = ""
        while position < bytes.count {
            let start = position
            if skip("<!--") {
                try skipPast("-->")
            } else if skip("<![CDATA[") {
                try skipPast("]]>")
                text += String(decoding: bytes[(start + 9)..<(position - 3)], as: UTF8.self)
            } else if bytes[position] == UInt8(ascii: "<") {
                break
            } else if bytes[position] == UInt8(ascii: "&") {
                text += try readReference()
            } else {
                let end = bytes[position...].firstIndex { $0 == 0x3C || $0 == 0x26 }
                position = end ?? bytes.count
                text += String(decoding: bytes[start..<position], as: UTF8.self)
            }
        }
        return text
    }

    private mutating func readReference() throws(XMLSyntaxError) -> String {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw error("a character reference does not end")
        }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let code =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let scalar = code.flatMap(Unicode.Scalar.init) else {
                throw error("the character reference '&\(name);' is unknown")
            }
            return String(Character(scalar))
        }
    }

    // MARK: - Moving on

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"),
            UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
            true
        default:
            isSpace(byte)
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) {
            if bytes[position] == 0x0A { line += 1 }
            position += 1
        }
    }

    /// Moves to the next occurrence of a character; false at the end of the document.
    private mutating func advance(to character: Unicode.Scalar) -> Bool {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: character) { return true }
            if bytes[position] == 0x0A { line += 1 }
            position += 1
        }
        return false
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        position += length
        return true
    }

    private mutating func skipPast(_ text: StaticString) throws(XMLSyntaxError) {
        while position < bytes.count {
            if skip(text) { return }
            if bytes[position] == 0x0A { line += 1 }
            position += 1
        }
        throw error("the document ends before '\(text)'")
    }

    /// Skips a document type declaration, with or without an internal subset.
    private mutating func skipDeclaration() throws(XMLSyntaxError) {
        var depth = 1
        while position < bytes.count, depth > 0 {
            switch bytes[position] {
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"): depth -= 1
            case 0x0A: line += 1
            default: break
            }
            position += 1
        }
        guard depth == 0 else { throw error("the document type declaration does not end") }
    }

    private func error(_ reason: String) -> XMLSyntaxError {
        XMLSyntaxError(line: line, reason: reason)
    }
}
