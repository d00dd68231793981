import CoreData

/// Conversion of the attribute values that Core Data stores.
extension CoreDataFile {
    /// Converts a value of Core Data's column to one of this store's.
    ///
    /// - Parameters:
    ///   - value: The value of Core Data's column.
    ///   - attribute: The attribute.
    /// - Returns: The value; nil for external data whose file is missing.
    func stored(_ value: SQLiteValue, _ attribute: AttributeColumn) throws -> SQLiteValue? {
        if value.isNull { return .null }
        switch attribute.kind {
        case .decimal:
            switch value {
            case .integer(let number): return .text(String(number))
            case .real(let number):
                return DecimalCollation.decimal("\(number)").map {
                    .text(DecimalCollation.text($0))
                } ?? .null
            default: return value
            }
        case .date, .double, .float:
            return value.real.map(AttributeColumn.stored) ?? .null
        case .binaryData, .transformable:
            guard attribute.isExternal else { return value }
            return try value.blob.map(binary) ?? .some(.null)
        case .integer16, .integer32, .integer64, .string, .boolean, .uuid, .uri:
            return value
        }
    }

    /// Reads data that may be external, as indicated by the first byte.
    private func binary(_ data: Data) throws -> SQLiteValue? {
        switch data.first {
        case 1: return .blob(Data(data.dropFirst()))
        case 2:
            let name = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            guard UUID(uuidString: name) != nil else { return nil }
            let url = Self.supportFolder(of: original).appendingPathComponent("_EXTERNAL_DATA")
                .appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            return .blob(try Data(contentsOf: url))
        default: return .blob(data)
        }
    }

    /// The folder beside a store for Core Data's external data.
    static func supportFolder(of url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(
            "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT")
    }
}
