import CloudKit
import Testing

/// Archives in the form in which Apple's framework makes them: classes without modules, and IDs, dates and
/// tokens as objects.
@Suite struct AppleArchiveTests {
    /// An archive of a token, as apps keep in the files of their tests.
    private static let token = """
        YnBsaXN0MDDUAQIDBAUGGx5ZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJj
        aGl2ZXKlBwgNERhVJG51bGzSCQoLDFYkY2xhc3NfEA9DaGFuZ2VUb2tlbkRhdGGABIAC0gkODxBXTlMuZGF0
        YYADSQEAAAFj2tQ1AtISExQVWCRjbGFzc2VzWiRjbGFzc25hbWWjFRYXXU5TTXV0YWJsZURhdGFWTlNEYXRh
        WE5TT2JqZWN00hITGRqiGhdfEBNDS1NlcnZlckNoYW5nZVRva2Vu0RwdVHJvb3SAARIAAYagCBEbJCkyREpQ
        VVxucHJ3f4GLkJmkqLa9xsvO5Ofs7gAAAAAAAAEBAAAAAAAAAB8AAAAAAAAAAAAAAAAAAADz
        """

    /// A record's system fields.
    private static let systemFields = """
        YnBsaXN0MDDUAQIDBAUGM09ZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJj
        aGl2ZXKvEA8HCAkQERcYGR8jJicrLjJVJG51bGxXQ29tcGFuedMKCwwNDg9WJGNsYXNzWlJlY29yZE5hbWVW
        Wm9uZUlEgAeAA4AEUmMx0woSExQVFlhab25lTmFtZVlvd25lck5hbWWADIAFgAZUWm9uZV8QEF9fZGVmYXVs
        dE93bmVyX1/SGhscHVgkY2xhc3Nlc1okY2xhc3NuYW1loh0eWkNLUmVjb3JkSURYTlNPYmplY3TSCiAhIldO
        Uy50aW1lgAkjQb3NZQCAAADSGhskJaIlHlZOU0RhdGVRNNMKCwwoKSqAB4AGgA3SGhssLaItHl5DS1JlY29y
        ZFpvbmVJRNMKEhMvMDGADIAOgAZcX2RlZmF1bHRab25l3jQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTkRf
        EBNDcmVhdG9yVXNlclJlY29yZElEVEVUYWdfEBlIYXNVcGRhdGVkUGFyZW50UmVmZXJlbmNlXUtub3duVG9T
        ZXJ2ZXJfEBhMYXN0TW9kaWZpZWRVc2VyUmVjb3JkSURfEA9QYXJlbnRSZWZlcmVuY2VaUGVybWlzc2lvbltS
        ZWNvcmRDdGltZVhSZWNvcmRJRFtSZWNvcmRNdGltZVpSZWNvcmRUeXBlXlNoYXJlUmVmZXJlbmNlU1VSTFlX
        YXNDYWNoZWSAC4AKCAmAC4AAEAGACIACgAiAAYAAgAASAAGGoAAIABEAGwAkACkAMgBEAFYAXABkAGsAcgB9
        AIQAhgCIAIoAjQCUAJ0ApwCpAKsArQCyAMUAygDTAN4A4QDsAPUA+gECAQQBDQESARUBHAEeASUBJwEpASsB
        MAEzAUIBSQFLAU0BTwFcAXkBjwGUAbABvgHZAesB9gICAgsCFwIiAjECNQI/AkECQwJEAkUCRwJJAksCTQJP
        AlECUwJVAlcAAAAAAAACAQAAAAAAAABQAAAAAAAAAAAAAAAAAAACXA==
        """

    private func data(_ archive: String) throws -> Data {
        try #require(Data(base64Encoded: archive, options: .ignoreUnknownCharacters))
    }

    @Test("A change token of Apple's framework is read from its archive, and archived again")
    func token() throws {
        let token = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CKServerChangeToken.self, from: data(Self.token)))
        #expect("\(token)".contains("AQAAAWPa1DUC"))
        let copy = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let again = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CKServerChangeToken.self, from: copy)
        #expect(again == token)
    }

    @Test("A record's system fields are read from an archive of Apple's framework")
    func systemFields() throws {
        let coder = try NSKeyedUnarchiver(forReadingFrom: data(Self.systemFields))
        coder.requiresSecureCoding = true
        let record = try #require(CKRecord(coder: coder))
        #expect(record.recordType == "Company")
        #expect(record.recordID.recordName == "c1")
        #expect(record.recordID.zoneID == CKRecordZone.ID(zoneName: "Zone"))
        #expect(record.recordChangeTag == "4")
        let date = Date(timeIntervalSinceReferenceDate: 500_000_000.5)
        #expect(record.creationDate == date && record.modificationDate == date)
        #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
        #expect(record.parent == nil && record.share == nil)
        #expect(record.allKeys().isEmpty && record.changedKeys().isEmpty)
    }
}
