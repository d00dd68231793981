import CoreData
import Measurement

/// The time to read a source model as large as the largest in use.
enum ModelReading {
    static let title = "Reading a model"

    /// Writes a model of 90 entities, 900 attributes and 130 relationships, and reads it.
    static func table() throws -> Table {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ModelReading-\(UUID().uuidString).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(contents.utf8).write(to: folder.appendingPathComponent("contents"))
        let times = try (0..<21).map { _ in
            try ContinuousClock().measure {
                guard try NSManagedObjectModel(readingFrom: folder).entities.count == 90 else {
                    throw CocoaError(.coderReadCorrupt)
                }
            }
        }.sorted()
        var table = Table(title: title, columns: ["round", "milliseconds"])
        for (name, time) in zip(
            ["shortest", "median", "longest"], [times[0], times[10], times[20]])
        {
            table.add([name, (time / .milliseconds(1)).rounded(toPlaces: 2)])
        }
        return table
    }

    /// Entities with ten attributes each. Each of the first 65 has a relationship to the next one,
    /// with an inverse.
    private static var contents: String {
        let types = ["String", "Integer 64", "Double", "Date", "Boolean", "Binary", "UUID"]
        let entities = (0..<90).map { entity in
            var members = (0..<10).map {
                "<attribute name='a\($0)' attributeType='\(types[$0 % types.count])'/>"
            }
            if entity < 65 {
                members.append(
                    "<relationship name='next' toMany='YES' destinationEntity='E\(entity + 1)' "
                        + "inverseName='previous' inverseEntity='E\(entity + 1)'/>")
            }
            if (1...65).contains(entity) {
                members.append(
                    "<relationship name='previous' maxCount='1' destinationEntity='E\(entity - 1)' "
                        + "inverseName='next' inverseEntity='E\(entity - 1)'/>")
            }
            return "<entity name='E\(entity)'>" + members.joined(separator: "\n") + "</entity>"
        }
        return "<model>" + entities.joined(separator: "\n") + "</model>"
    }
}
