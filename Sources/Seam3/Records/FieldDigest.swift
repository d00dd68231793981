import CoreData

/// The digest of a field's value, as `SM_edits` has it: 32 bits that tell whether somebody has written the field who
/// writes no stamps.
///
/// It is computed of what the record contains, not of what the object has, so that all devices agree.
enum FieldDigest {
    /// The digest of a field without a value.
    static let ofNothing: UInt32 = 0

    /// The type of a value on the server.
    private enum Form: UInt8 {
        case integer = 1
        case double, text, date, data, reference, decimal
    }

    static func of(_ integer: Int64) -> UInt32 { number(.integer, UInt64(bitPattern: integer)) }

    /// The digest of a Double. Both zeros have the same one.
    static func of(_ double: Double) -> UInt32 { number(.double, bits(double)) }

    /// The digest of a date, which the server keeps to the millisecond, as far as 64 bits reach.
    static func of(_ date: Date) -> UInt32 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let nearest = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
        return number(.date, UInt64(bitPattern: nearest))
    }

    static func of(_ text: String) -> UInt32 { bytes(.text, text.utf8) }

    /// The digest of data, whether it is in the record or an asset.
    static func of(_ data: Data) -> UInt32 { bytes(.data, data) }

    /// The digest of an asset's file; nil if it cannot be read.
    static func of(file: URL) -> UInt32? {
        ContentDigest.short(ofFile: file, form: Form.data.rawValue)
    }

    static func of(referenceTo recordName: String) -> UInt32 {
        bytes(.reference, recordName.utf8)
    }

    /// The digest of a decimal: of both its fields. An app that knows only the Double changes only the Double.
    static func of(decimal double: Double, digits: String?) -> UInt32 {
        guard let digits else { return number(.decimal, bits(double)) }
        var data = Data()
        withUnsafeBytes(of: bits(double).littleEndian) { data.append(contentsOf: $0) }
        data.append(contentsOf: digits.utf8)
        return bytes(.decimal, data)
    }

    private static func bits(_ double: Double) -> UInt64 { double == 0 ? 0 : double.bitPattern }

    private static func number(_ form: Form, _ number: UInt64) -> UInt32 {
        withUnsafeBytes(of: number.littleEndian) { ContentDigest.short($0, form: form.rawValue) }
    }

    private static func bytes(_ form: Form, _ bytes: some Sequence<UInt8>) -> UInt32 {
        let digest = bytes.withContiguousStorageIfAvailable {
            ContentDigest.short(UnsafeRawBufferPointer($0), form: form.rawValue)
        }
        return digest
            ?? Array(bytes).withUnsafeBytes { ContentDigest.short($0, form: form.rawValue) }
    }
}
