import Foundation

/// A script in `Tests/AdoptionReader`, an independent reader in another language.
public struct PythonScript {
    private let url: URL

    /// - Parameter name: The script's file name.
    public init(_ name: String) {
        url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("AdoptionReader/\(name)")
    }

    /// Whether Python is installed.
    public static let canRun = (try? python(["--version"])) != nil

    /// The lines that the script prints.
    ///
    /// - Throws: `CocoaError.fileReadUnknown` if it fails.
    public func lines(_ arguments: [String]) throws -> [String] {
        try Self.python([url.path] + arguments).split(separator: "\n").map(String.init)
    }

    private static func python(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: data, as: UTF8.self)
    }
}
