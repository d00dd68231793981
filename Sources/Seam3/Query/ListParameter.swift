import CoreData

/// Many values in one parameter: a JSON array, which SQLite reads as a table.
///
/// JSON has no binary data, SQLite may lose the last bit of a fraction in JSON, and it ends a
/// string at a NUL. Such values are passed as text and bit patterns through functions of this
/// module.
struct ListParameter {
    /// The array as a table.
    let table: SQL
    /// The expression that reads the values back.
    let select: SQL

    init(_ values: [SQLiteValue]) {
        let isPlain = values.allSatisfy { value in
            switch value {
            case .integer: return true
            case .text(let text): return !text.utf8.contains(0)
            default: return false
            }
        }
        let literals = values.map { Self.literal($0, isPlain: isPlain) }
        let list = SQLiteValue.text("[" + literals.joined(separator: ",") + "]")
        table = "json_each(\(bind: list))"
        select =
            isPlain
            ? "value FROM \(table)" : "\(verbatim: QueryFunctions.decode)(value) FROM \(table)"
    }

    private static func literal(_ value: SQLiteValue, isPlain: Bool) -> String {
        switch value {
        case .integer(let number): return String(number)
        case .real(let number): return "\"r\(Int64(bitPattern: number.bitPattern))\""
        case .text(let text):
            return isPlain ? quoted(text) : "\"z\(Data(text.utf8).hexadecimal)\""
        case .blob(let data): return "\"x\(data.hexadecimal)\""
        case .null: return "null"
        }
    }

    private static func bytes(_ digits: Substring.UTF8View) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The value that a prefixed literal encodes; any other value is returned unchanged.
    static func decoded(_ value: SQLiteValue) -> SQLiteValue {
        guard case .text(let text) = value else { return value }
        switch text.first {
        case "r":
            guard let pattern = Int64(text.dropFirst()) else { return value }
            return .real(Double(bitPattern: UInt64(bitPattern: pattern)))
        case "x":
            return .blob(Data(bytes(text.utf8.dropFirst())))
        case "z":
            return .text(String(decoding: bytes(text.utf8.dropFirst()), as: UTF8.self))
        default:
            return value
        }
    }
}
