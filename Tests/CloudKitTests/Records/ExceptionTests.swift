import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("An exception on Apple's systems stops the process, with Apple's text")
struct ExceptionTests {
    /// The output of the process when it ended.
    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("A record type with invalid characters")
    func recordType() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = CKRecord(recordType: "App.Message") }
        #expect(
            text(result).contains(
                "'CKException', reason: 'recordType (App.Message) contains invalid characters'"))
    }

    @Test("An empty record type")
    func emptyRecordType() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = CKRecord(recordType: "") }
        #expect(text(result).contains("recordType can not be nil or empty"))
    }

    @Test("A record name of 256 code units")
    func recordName() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = CKRecord.ID(recordName: String(repeating: "a", count: 256)) }
        #expect(text(result).contains("CKException"))
        #expect(text(result).contains(") is too long"))
    }

    @Test("An empty name of a record or a zone", arguments: ["recordName", "zoneName"])
    func emptyName(_ property: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [property] in
            if property == "zoneName" {
                _ = CKRecordZone.ID(zoneName: "")
            } else {
                _ = CKRecord.ID(recordName: "")
            }
        }
        #expect(text(result).contains("\(property) can not be nil or empty"))
    }

    @Test("An operation that was added before and has finished")
    func operationTwice() async {
        await #expect(processExitsWith: .failure) {
            let devices = try await Devices.withZone()
            let operation = CKModifyRecordsOperation()
            operation.database = devices.database
            await withCheckedContinuation { continuation in
                operation.completionBlock = { continuation.resume() }
                devices.database.add(operation)
            }
            devices.database.add(operation)
        }
    }

    @Test("Code units are counted, not characters or bytes")
    func codeUnits() {
        #expect(CKRecord.ID(recordName: String(repeating: "a", count: 255)).recordName.count == 255)
        #expect(CKRecord.ID(recordName: String(repeating: "é", count: 250)).recordName.count == 250)
    }

    @Test("A reserved key")
    func reservedKey() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { CKRecord(recordType: "Note")["creationDate"] = Date() }
        #expect(text(result).contains("creationDate"))
    }

    @Test("A reserved key among the encrypted values")
    func reservedEncryptedKey() async {
        await #expect(processExitsWith: .failure) {
            CKRecord(recordType: "Note").encryptedValues["etag"] = "x"
        }
    }

    @Test("If reserved keys are not exceptions, the save fails")
    func reservedKeyOption() async {
        await #expect(processExitsWith: .success) {
            CloudKitOptions.current.reservedKeysAreExceptions = false
            let devices = try await Devices.withZone()
            let note = devices.note()
            note["recordType"] = "x"
            let code = await thrownCode { try await devices.database.save(note) }
            try #require(code == .invalidArguments)
        }
    }

    @Test("An operation for a database in a container")
    func databaseOperation() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { Devices().phone.add(CKModifyRecordsOperation()) }
        #expect(
            text(result).contains(
                "'CKException', reason: 'CKDatabaseOperations must be submitted to a CKDatabase'"))
    }

    @Test("An asset of a URL that is not a file")
    func webAsset() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let url = try #require(URL(string: "https://example.org/a"))
            _ = CKAsset(fileURL: url)
        }
        #expect(text(result).contains("'NSInvalidArgumentException', reason: 'Non-file URL'"))
    }

    @Test("A value that no field can hold, set by key-value coding")
    func wrongValue() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { CKRecord(recordType: "Note").setValue(NSObject(), forKey: "title") }
        #expect(text(result).contains("objects of class NSObject can't be set on CKRecord"))
    }

    @Test("A property that cannot be set, set by key-value coding")
    func readOnlyProperty() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { CKRecord(recordType: "Note").setValue(Date(), forKey: "creationDate") }
        #expect(text(result).contains("NSUnknownKeyException"))
    }

    @Test("A parent in another zone fails its record, and its atomic neighbors with it")
    func parentInOtherZone() async throws {
        let devices = try await Devices.withZone()
        let child = devices.note("child")
        child.setParent(CKRecord.ID(recordName: "parent"))
        let results = try await devices.database.modifyRecords(
            saving: [child, devices.note("other")], deleting: [])
        #expect(code(results.saveResults[child.recordID]) == .invalidArguments)
        #expect(code(results.saveResults[devices.id("other")]) == .batchRequestFailed)
    }

    @Test("Whatever names the server sends, the process continues", arguments: [0, 300])
    func receivedNames(length: Int) async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        let name = String(repeating: "x", count: length)
        let reference = FieldValue.reference(ReferenceDictionary(recordName: name))
        _ = try await devices.cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: devices.zoneID.zoneName),
                operations: [
                    RecordOperation(
                        .forceUpdate,
                        RecordDictionary(
                            recordName: "a", recordType: "Note",
                            fields: ["owner": RecordFieldDictionary(reference)]))
                ]), in: devices.phone.requestContext())
        let owner: CKRecord.Reference? = try await devices.database.record(
            for: devices.id("a"))["owner"]
        #expect(owner?.recordID.recordName == name)
    }
}
