/// The names that Apple's client refuses, with the texts of its exceptions.
///
/// Rules that only the server checks (the characters of record and zone names, the form of keys)
/// are not included.
enum NameRules {
    private static let exception = "CKException"

    /// The maximum number of UTF-16 code units in a name.
    private static let maximumLength = 255

    /// The keys that are names of a record's own properties, and the server's name of its tag.
    static let reservedKeys: Set<CKRecord.FieldKey> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
    ]

    /// Stops the process if a name is empty or too long.
    ///
    /// - Parameter property: The property's name in the exception's reason.
    static func check(_ name: String, _ property: String) {
        guard !name.isEmpty else { _raise(exception, "\(property) can not be nil or empty") }
        guard name.utf16.count <= maximumLength else {
            _raise(exception, "\(property) (\(name)) is too long")
        }
    }

    /// Stops the process if the name of a type contains characters other than letters, digits and
    /// underscores, or does not begin with a letter.
    static func checkRecordType(_ recordType: CKRecord.RecordType) {
        check(recordType, "recordType")
        guard recordType != CKRecord.SystemType.share else { return }
        let isValid =
            recordType.utf8.first.map(isLetter) == true
            && recordType.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x5f }
        guard isValid else {
            _raise(exception, "recordType (\(recordType)) contains invalid characters")
        }
    }

    /// Stops the process if a key is reserved. The text is this package's, because Apple's is
    /// unknown.
    static func checkKey(_ key: CKRecord.FieldKey) {
        guard reservedKeys.contains(key), CloudKitOptions.current.reservedKeysAreExceptions else {
            return
        }
        _raise(exception, "\"\(key)\" is a reserved key: CKRecord has a property of this name")
    }

    /// Stops the process because an object cannot be the value of a field.
    static func refuse(_ object: Any) -> Never {
        _raise(
            "NSInvalidArgumentException",
            "objects of class \(type(of: object)) can't be set on CKRecord")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
