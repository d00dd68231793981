import CoreData

/// Photos, whose data may lie in files.
enum PhotoModel {
    static func make() -> NSManagedObjectModel {
        let data = NSAttributeDescription("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        return NSManagedObjectModel(
            NSEntityDescription(
                "Photo",
                [
                    NSAttributeDescription("name", .stringAttributeType), data,
                    NSAttributeDescription("note", .stringAttributeType),
                ]))
    }

    /// A number of bytes that is too large for a row.
    static let size = 400_000

    static func data(_ byte: UInt8, _ count: Int = size) -> Data {
        Data(repeating: byte, count: count)
    }
}

extension Device {
    /// The folder in which the device stores large data.
    var externalFolder: URL { ExternalFolder(ofStoreAt: file).url }

    /// The sizes of the device's files of external data.
    func externalFileSizes() throws -> [Int] {
        try externalFileNames().map {
            try Data(contentsOf: externalFolder.appendingPathComponent($0)).count
        }.sorted()
    }

    /// The names of the device's files of external data.
    func externalFileNames() throws -> Set<String> {
        ExternalFolder(ofStoreAt: file).names
    }

    /// Sets the data of the photo with a name.
    func setPhoto(_ name: String, _ data: Data?) throws {
        try edit { context in
            try Device.object("Photo", name, in: context).setValue(data, forKey: "data")
        }
    }
}
