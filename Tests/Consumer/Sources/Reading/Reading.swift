import CoreData

/// Writes a book into a new file and reads it back through another container.
@main
struct Reading {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Reading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Reading.sqlite")
        try Shelf(url: url).add("Middlemarch", pages: 904, by: "George Eliot")
        print(try Shelf(url: url).titles().joined(separator: "\n"))
    }
}
