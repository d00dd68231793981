import CloudKitService

/// The names that CloudKit allows.
enum NameRules {
    private static let maximumLength = 255

    static func checkZoneName(_ name: String) throws {
        guard isIdentifier(name), !name.hasPrefix("_") else {
            throw ItemFailure(.badRequest, "Invalid zone name: '\(name)'")
        }
    }

    /// - Parameter userRecordName: The only allowed name that begins with an underscore.
    static func checkRecordName(_ name: String, userRecordName: String?) throws {
        guard isIdentifier(name), !name.hasPrefix("_") || name == userRecordName else {
            throw ItemFailure(.badRequest, "Invalid record name: '\(name)'")
        }
    }

    static func checkRecordType(_ type: String) throws {
        guard isWord(type) else {
            throw ItemFailure(.badRequest, "Invalid record type: '\(type)'")
        }
    }

    static func checkFieldName(_ name: String) throws {
        guard isWord(name) else {
            throw ItemFailure(.badRequest, "Invalid field name: '\(name)'")
        }
    }

    /// The names of a record's own properties and of its tag.
    private static let reservedFieldNames: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
    ]

    /// Refuses a reserved field name in new values. Stored fields stay readable.
    static func checkNotReserved(_ name: String) throws {
        guard !reservedFieldNames.contains(name) else {
            throw ItemFailure(.badRequest, "Reserved field name: '\(name)'", code: 2006)
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumLength
            && name.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    /// A letter, then letters, digits and underscores.
    private static func isWord(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.count <= maximumLength
            && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
    }
}
