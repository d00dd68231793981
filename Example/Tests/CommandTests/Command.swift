import CloudKitService
import Foundation
import LocalCloud

/// A command of this package, as it was built with the tests.
struct Command {
    /// What a run has printed, and its exit code.
    struct Run {
        let output: String
        let errors: String
        let code: Int32
    }

    /// The command that simulates devices.
    static let demo = Command(name: "seam3-demo")
    /// The command that inspects files and clouds.
    static let seam3 = Command(name: "seam3")

    private let name: String

    /// Runs the command to its end.
    func run(_ arguments: String...) throws -> Run { try run(arguments) }

    /// Runs the command to its end.
    func run(_ arguments: [String]) throws -> Run {
        let folder = try TemporaryDirectory()
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        for file in [output, errors] {
            FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let process = process(arguments)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Run(
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8),
            code: process.terminationStatus)
    }

    /// A process that has not been started.
    func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent(name)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        return process
    }
}

/// A directory that is removed with its last reference.
final class TemporaryDirectory {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("seam3-commands-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The URL of a file in it.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A cloud and devices that the demo creates.
struct World {
    private let directory: TemporaryDirectory

    /// What the demo's option `--cloud` takes.
    let path: String
    /// The model of the demo.
    static let model = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/WorldClock/WorldClock.xcdatamodeld")
        .standardizedFileURL.path

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("world").path
    }

    /// A world in which the phone has synced one clock, and another one waits to be sent.
    static func withPhone() throws -> World {
        let world = try World()
        for arguments in [
            ["import", "--create", "--offline"], ["add", "Office", "--zone", "Europe/Berlin"],
            ["add", "Home", "--zone", "Europe/Rome", "--offline"],
        ] {
            let run = try Command.demo.run(arguments + ["--cloud", world.path])
            guard run.code == 0 else { throw Failure(message: run.errors) }
        }
        return world
    }

    private struct Failure: Error {
        let message: String
    }

    /// The store of the phone.
    var store: String { path + "/devices/phone.sqlite" }
    /// The directory of the local cloud.
    var cloud: String { path + "/cloud" }

    /// Saves records with a text in the default zone of a database, as another app does.
    func save(
        _ type: String, texts: [String], in database: RequestContext.DatabaseScope,
        user: String? = nil
    ) async throws {
        let cloud = LocalCloud(directory: URL(fileURLWithPath: cloud))
        if let user { cloud.answer("test", as: user) }
        let context = RequestContext(
            container: "iCloud.org.example.WorldClock", database: database, device: "test")
        var operations = texts.map { text in
            RecordOperation(
                .create,
                RecordDictionary(
                    recordName: UUID().uuidString, recordType: type,
                    fields: ["text": RecordFieldDictionary(.string(text))]))
        }[...]
        while !operations.isEmpty {
            let response = try await cloud.modifyRecords(
                ModifyRecordsRequest(operations: Array(operations.prefix(200))), in: context)
            for case .failure(let error) in response.records {
                throw Failure(message: "\(error)")
            }
            operations = operations.dropFirst(200)
        }
    }
}
