import CoreData

extension TemporaryDirectory {
    /// Writes a `.xcdatamodel` and returns its URL.
    ///
    /// - Parameters:
    ///   - path: The path within the directory, such as `Model.xcdatamodeld/V1.xcdatamodel`.
    ///   - body: The contents of the model element.
    func writeModel(_ path: String = "Model.xcdatamodel", body: String) throws -> URL {
        try write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(body)
            </model>
            """, to: path + "/contents"
        ).deletingLastPathComponent()
    }

    /// Writes a file and returns its URL.
    func write(_ text: String, to path: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// Reads a model from the contents of its model element.
func readModel(_ body: String) throws -> NSManagedObjectModel {
    let directory = try TemporaryDirectory()
    return try NSManagedObjectModel(readingFrom: directory.writeModel(body: body))
}

/// Model files of other projects, in a folder next to the repository, if there is one.
enum SharedFixtures {
    static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/fixtures")

    static let arePresent = FileManager.default.fileExists(atPath: url.path)

    static func model(_ path: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(readingFrom: url.appendingPathComponent(path))
    }
}
