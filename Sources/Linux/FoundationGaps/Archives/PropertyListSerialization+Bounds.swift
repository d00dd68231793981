extension PropertyListSerialization {
    /// Reads a property list from any source.
    ///
    /// Linux-only. Foundation's reader follows each level of a list in a call of its own, repeats what is shared, and does
    /// not survive a set, which no list has.
    ///
    /// - Parameter data: A list in binary form or in XML.
    /// - Throws: `propertyListReadCorrupt` for other data, and for a list with too many levels or too much that is shared.
    public static func _boundedPropertyList(from data: Data) throws -> Any {
        if data.starts(with: "bplist0".utf8) {
            guard BinaryPropertyListReader.isModest(data),
                let value = try? BinaryPropertyListReader.read(data).object
            else { throw CocoaError(.propertyListReadCorrupt) }
            return value
        }
        guard hasFewLevels(xml: data) else { throw CocoaError(.propertyListReadCorrupt) }
        return try propertyList(from: data, format: nil)
    }

    private static let mostLevels = 100

    /// Whether a text is XML, and no element in it is in too many others.
    private static func hasFewLevels(xml data: Data) -> Bool {
        let bytes = [UInt8](data)
        guard bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "<") else {
            return false
        }
        var level = 0
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return true }
            switch bytes[start + 1] {
            case UInt8(ascii: "/"): level -= 1
            case UInt8(ascii: "?"), UInt8(ascii: "!"): break
            default: level += bytes[end - 1] == UInt8(ascii: "/") ? 0 : 1
            }
            if level > mostLevels { return false }
            place = end
        }
        return true
    }
}

extension PropertyListValue {
    /// The value as Foundation reads it; nil for one that only archives have.
    fileprivate var object: Any? {
        switch self {
        case .null, .reference: return nil
        case .boolean(let flag): return flag
        case .integer(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .date(let date): return date
        case .data(let data): return data
        case .string(let text): return text
        case .array(let elements):
            let objects = elements.compactMap(\.object)
            return objects.count == elements.count ? objects : nil
        case .dictionary(let entries):
            let objects = entries.compactMapValues(\.object)
            return objects.count == entries.count ? objects : nil
        }
    }
}
