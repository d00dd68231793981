import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("Data of many megabytes") struct LargeAssetTests {
    /// Recordings whose sound is in a file and whose score is in the row.
    private static func model() -> NSManagedObjectModel {
        let sound = NSAttributeDescription("sound", .binaryDataAttributeType)
        sound.allowsExternalBinaryDataStorage = true
        return NSManagedObjectModel(
            NSEntityDescription(
                "Recording",
                [
                    NSAttributeDescription("name", .stringAttributeType), sound,
                    NSAttributeDescription("score", .binaryDataAttributeType),
                ]))
    }

    private static func data(_ megabytes: Int, _ seed: UInt8) -> Data {
        Data(
            (0..<megabytes).flatMap { index in
                [UInt8](repeating: seed &+ UInt8(index % 200), count: 1_000_000)
            })
    }

    /// The contents of the temporary directory for assets.
    private static func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: FileManager.default.temporaryDirectory.path
        ).filter { $0.hasPrefix("SMStore-assets") }
    }

    @Test("reaches another device completely, in a file or in the row, and its changes too")
    func roundTrip() async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, model: Self.model())
        try a.add(
            "Recording",
            ["name": "r", "sound": Self.data(12, 1), "score": Self.data(11, 2)])
        try await Device.settle(a, b)
        for (sound, score) in [(Self.data(12, 1), Self.data(11, 2)), (Self.data(13, 3), nil)] {
            try b.edit { context in
                let recording = try Device.object("Recording", "r", in: context)
                recording.setValue(sound, forKey: "sound")
                recording.setValue(score, forKey: "score")
            }
            try await Device.settle(b, a)
            try a.read { context in
                let recording = try Device.object("Recording", "r", in: context)
                #expect(recording.value(forKey: "sound") as? Data == sound)
                #expect(recording.value(forKey: "score") as? Data == score)
            }
        }
    }

    @Test("leaves no temporary file, whether it is sent, refused or interrupted")
    func temporaryFiles() async {
        // In a separate process, with its own temporary directory.
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            setenv("TMPDIR", folder.url.path, 1)
            let cloud = LocalCloud.inMemory()
            let device = try Device(on: cloud, model: Self.model())
            try device.add("Recording", ["name": "r", "score": Self.data(2, 1)])
            let effects: [Fault.Effect] = [
                .fail(.networkFailure), .loseAnswer(), .fail(.badRequest),
            ]
            nonisolated(unsafe) var seen = 0
            for (number, effect) in effects.enumerated() {
                cloud.faults.add(
                    .call(.beforeCommit) { _ in
                        seen += (try? Self.temporaryFiles().count) ?? 0
                    }, for: .kind(.modifyRecords))
                cloud.faults.add(effect, for: .kind(.modifyRecords))
                _ = try? await device.store.sync()
                #expect(try Self.temporaryFiles() == [])
                try device.edit { context in
                    try Device.object("Recording", "r", in: context)
                        .setValue(Self.data(2, UInt8(number + 2)), forKey: "score")
                }
            }
            try await device.store.sync()
            #expect(seen > 0)
            #expect(try Self.temporaryFiles() == [])
        }
    }

    @Test("is written from the server to its file without being held in memory")
    func memory() async {
        // In a separate process, because it measures memory.
        await #expect(processExitsWith: .success) {
            let size = 64_000_000
            let cloud = LocalCloud.inMemory()
            let client = RawClient(cloud)
            let folder = try TestFolder()
            let file = folder.url.appendingPathComponent("sound")
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            let handle = try FileHandle(forWritingTo: file)
            for _ in 0..<64 { handle.write(Data(repeating: 7, count: size / 64)) }
            try handle.close()
            try await client.createZone()
            let record = client.record("Recording", named: "r", ["name": "r"])
            record["sound"] = CKAsset(fileURL: file)
            try await client.save(record)
            let device = try Device(on: cloud, model: Self.model())
            let before = ThisProcess.peakMemory
            try await device.store.sync()
            #expect(before > 0)
            #expect(ThisProcess.peakMemory - before < size / 4)
            let sounds = try device.read { context in
                try Device.all("Recording", in: context)
                    .compactMap { ($0.value(forKey: "sound") as? Data)?.count }
            }
            #expect(sounds == [size])
        }
    }
}
