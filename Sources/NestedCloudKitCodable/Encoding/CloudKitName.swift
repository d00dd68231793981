/// The names that CloudKit accepts.
enum CloudKitName {
    /// The maximum length of any name.
    private static let maximumLength = 255

    /// The names that are reserved in records.
    static let reservedFields: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
    ]

    /// Whether a name can be a record's.
    static func isRecordName(_ name: String) -> Bool {
        (1...maximumLength).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 128 }
            && !name.hasPrefix("_")
    }

    /// Whether a name can be a field's or a record type's: it begins with a letter, and consists of
    /// ASCII letters, digits and underscores.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.count <= maximumLength
            && name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
