import CloudKit
import LocalCloud
import Testing

@Suite("Assets")
struct AssetTests {
    /// Writes a file into a directory of its own.
    private func file(_ content: String) throws -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appendingPathComponent("file")
        try Data(content.utf8).write(to: url)
        return url
    }

    private func content(of asset: CKAsset?) throws -> String {
        let url = try #require(asset?.fileURL)
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    @Test("A file is read when the record is saved, and arrives under another path")
    func roundTrip() async throws {
        let devices = try await Devices.withZone()
        let url = try file("old")
        let record = devices.note()
        record["file"] = CKAsset(fileURL: url)
        try Data("new".utf8).write(to: url)
        try await devices.database.save(record)
        let fetched = try await devices.otherDatabase.record(for: record.recordID)
        let asset: CKAsset? = fetched["file"]
        #expect(try content(of: asset) == "new")
        #expect(asset?.fileURL != url)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A list of assets keeps its order")
    func list() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        record["files"] = try ["a", "b", "c"].map { CKAsset(fileURL: try file($0)) }
        try await devices.database.save(record)
        let changes = try await devices.otherDatabase.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        let fetched = try changes.modificationResultsByID[record.recordID]?.get().record
        let assets: [CKAsset] = try #require(fetched?["files"])
        #expect(try assets.map(content(of:)) == ["a", "b", "c"])
    }

    @Test("A missing file fails its record, and its atomic neighbors with it")
    func missingFile() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a")
        record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/nonexistent/file"))
        let neighbor = devices.note("b")
        let results = try await devices.database.modifyRecords(
            saving: [record, neighbor], deleting: [devices.id("c")])
        #expect(code(results.saveResults[record.recordID]) == .assetFileNotFound)
        #expect(code(results.saveResults[neighbor.recordID]) == .batchRequestFailed)
        #expect(code(results.deleteResults[devices.id("c")]) == .batchRequestFailed)
    }

    @Test("Without atomicity a missing file fails its record only")
    func missingFileAlone() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a")
        record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/nonexistent/file"))
        let results = try await devices.database.modifyRecords(
            saving: [record, devices.note("b")], deleting: [], atomically: false)
        #expect(code(results.saveResults[devices.id("a")]) == .assetFileNotFound)
        #expect(code(results.saveResults[devices.id("b")]) == nil)
    }

    @Test("Progress is reported for each asset and ends with 1")
    func progress() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        record["a"] = CKAsset(fileURL: try file("a"))
        let operation = CKModifyRecordsOperation(recordsToSave: [record])
        let journal = Journal<Double>()
        operation.perRecordProgressBlock = { _, progress in journal.note(progress) }
        await devices.database.run(operation)
        #expect(journal.entries == [0.5, 1])
    }

    @Test("The server's record of a conflict has assets without files")
    func conflict() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        record["file"] = CKAsset(fileURL: try file("a"))
        try await devices.database.save(record)
        let error = await #expect(throws: CKError.self) {
            try await devices.otherDatabase.save(devices.note())
        }
        let asset: CKAsset? = error?.serverRecord?["file"]
        #expect(asset != nil)
        #expect(asset?.fileURL == nil)
    }

    @Test("Without the asset's key nothing is downloaded")
    func desiredKeys() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("n1", "Lunch")
        record["file"] = CKAsset(fileURL: try file("a"))
        try await devices.database.save(record)
        devices.cloud.faults.add(.fail(.networkFailure), for: .kind(.downloadAsset))
        let results = try await devices.database.records(
            for: [record.recordID], desiredKeys: ["title"])
        let fetched = try results[record.recordID]?.get()
        #expect(fetched?.allKeys() == ["title"])
    }

    @Test("A download that fails is the error of its record")
    func failedDownload() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a")
        record["file"] = CKAsset(fileURL: try file("a"))
        _ = try await devices.database.modifyRecords(
            saving: [record, devices.note("b")], deleting: [])
        devices.cloud.faults.add(.fail(.assetNotAvailable), for: .kind(.downloadAsset))
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        let results = changes.modificationResultsByID
        #expect(code(results[devices.id("a")]) == .assetNotAvailable)
        #expect(code(results[devices.id("b")]) == nil)
    }

    @Test("A fetched asset can be saved in another record, and be removed")
    func reuse() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a")
        record["file"] = CKAsset(fileURL: try file("a"))
        try await devices.database.save(record)
        let fetched = try await devices.otherDatabase.record(for: record.recordID)
        let asset: CKAsset? = fetched["file"]
        let copy = devices.note("b")
        copy["file"] = asset
        try await devices.otherDatabase.save(copy)
        fetched["file"] = nil
        try await devices.otherDatabase.save(fetched)
        let results = try await devices.database.records(for: [devices.id("a"), devices.id("b")])
        #expect(try results[devices.id("a")]?.get().allKeys() == [])
        let copied: CKAsset? = try results[devices.id("b")]?.get()["file"]
        #expect(try content(of: copied) == "a")
    }
}
