import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Strings of a user or a server that look like file paths, in an entity with external data. The
/// files at these paths exist.
@Suite("A string that looks like a path names no file") struct HostileFileNameTests {
    let cloud = LocalCloud.inMemory()

    /// Photos of an album, with all kinds of string properties.
    private static func model() -> NSManagedObjectModel {
        let data = NSAttributeDescription("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription(
            "Photo",
            [
                NSAttributeDescription("name", .stringAttributeType), data,
                NSAttributeDescription("text", .stringAttributeType),
                NSAttributeDescription("uri", .URIAttributeType),
                NSAttributeDescription("bytes", .binaryDataAttributeType),
            ])
        let album = NSEntityDescription(
            "Album", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((photo, "album", 1), (album, "photos", 0))
        return NSManagedObjectModel(photo, album)
    }

    /// Strings, relative to the folder of external data. The last is the name of one of the store's
    /// files.
    enum Text: String, CaseIterable {
        case twoUp = "../../important.data"
        case twoUpWithoutEnding = "../../important"
        case oneUp = "../important.data"
        case beside = "important.data"
        case hidden = "./../../important.data"
        case absolute = "/important.data"
        case uuid = "00000000-0000-4000-8000-000000000000.data"
    }

    /// The app's files, which only the app may touch.
    private struct Files {
        private static let contents = Data("important".utf8)
        private var urls: [URL] = []

        init(on device: Device) throws {
            let folder = device.externalFolder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            urls = [
                device.directory.appendingPathComponent("important.data"),
                device.directory.appendingPathComponent("important"),
                folder.deletingLastPathComponent().appendingPathComponent("important.data"),
                folder.appendingPathComponent("important.data"),
            ]
            for url in urls { try Self.contents.write(to: url) }
        }

        func expectWhole(_ comment: String, sourceLocation: SourceLocation = #_sourceLocation) {
            for url in urls {
                #expect(
                    (try? Data(contentsOf: url)) == Self.contents, "\(url.path), \(comment)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    /// The values of a photo, with the string in every possible property.
    private static func values(_ text: String) -> [String: Any] {
        [
            "name": "p", "text": text, "uri": URL(string: text) as Any, "bytes": Data(text.utf8),
            "data": PhotoModel.data(1),
        ]
    }

    private static func clear(_ device: Device) throws {
        try device.edit { context in
            let photo = try Device.object("Photo", "p", in: context)
            for key in ["text", "uri", "bytes"] { photo.setValue(nil, forKey: key) }
        }
    }

    private static func delete(_ device: Device) throws {
        try device.edit { $0.delete(try Device.object("Photo", "p", in: $0)) }
    }

    @Test("when it is replaced, before or after it was sent", arguments: Text.allCases)
    func replaced(text: Text) async throws {
        for isSent in [false, true] {
            let device = try device()
            let files = try Files(on: device)
            try device.add("Photo", Self.values(text.rawValue))
            if isSent { try await device.store.sync() }
            try Self.clear(device)
            try await device.store.sync()
            files.expectWhole("sent: \(isSent)")
        }
    }

    @Test("when its object is deleted, by a save or in a batch", arguments: Text.allCases)
    func deleted(text: Text) async throws {
        for isBatch in [false, true] {
            let device = try device()
            let files = try Files(on: device)
            try device.add("Photo", Self.values(text.rawValue))
            if isBatch {
                try device.edit { context in
                    _ = try context.execute(
                        NSBatchDeleteRequest(
                            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(
                                entityName: "Photo")))
                }
            } else {
                try Self.delete(device)
            }
            try await device.store.sync()
            files.expectWhole("batch: \(isBatch)")
        }
    }

    @Test("when a batch update replaces it", arguments: Text.allCases)
    func batchUpdate(text: Text) async throws {
        let device = try device()
        let files = try Files(on: device)
        try device.add("Photo", Self.values(text.rawValue))
        try device.edit { context in
            let request = NSBatchUpdateRequest(entityName: "Photo")
            request.propertiesToUpdate = ["text": "other"]
            _ = try context.execute(request)
        }
        try await device.store.sync()
        files.expectWhole("")
    }

    @Test("when the server changes or deletes its object", arguments: Text.allCases)
    func pulled(text: Text) async throws {
        for isDeleted in [false, true] {
            let a = try device("a")
            let b = try device("b")
            let files = try Files(on: b)
            try a.add("Photo", Self.values(text.rawValue))
            try await Device.settle(a, b)
            if isDeleted { try Self.delete(a) } else { try Self.clear(a) }
            try await Device.settle(a, b)
            files.expectWhole("deleted: \(isDeleted)")
            #expect(try b.count("Photo") == (isDeleted ? 0 : 1))
            if !isDeleted {
                try Self.delete(a)
                try await Device.settle(a, b)
            }
        }
    }

    @Test("when a conflict is decided against it", arguments: Text.allCases)
    func conflict(text: Text) async throws {
        let a = try device("a")
        let b = try device("b")
        let files = try Files(on: b)
        try a.add("Photo", ["name": "p", "data": PhotoModel.data(1)])
        try await Device.settle(a, b)
        for (device, value) in [(a, "by a"), (b, text.rawValue)] {
            try device.edit { context in
                try Device.object("Photo", "p", in: context).setValue(value, forKey: "text")
            }
        }
        try await Device.settle(a, b)
        files.expectWhole("")
    }

    @Test("when the store is emptied, forgets the server, or is opened again")
    func maintenance() async throws {
        for text in Text.allCases {
            let device = try device()
            let files = try Files(on: device)
            try device.add("Photo", Self.values(text.rawValue))
            try await device.store.sync()
            try Self.clear(device)
            try device.store.resetCloudFieldsInBackingStore()
            files.expectWhole("\(text), forgotten")
            try device.edit { context in
                try Device.object("Photo", "p", in: context)
                    .setValue(text.rawValue, forKey: "text")
            }
            try device.relaunch(model: Self.model())
            files.expectWhole("\(text), opened")
            try device.store.resetBackingStore()
            files.expectWhole("\(text), emptied")
        }
    }

    @Test(
        "when a reference on the server uses it as a record's name, or a record does",
        arguments: Text.allCases)
    func recordName(text: Text) async throws {
        let device = try device()
        let files = try Files(on: device)
        try await device.store.sync()
        let client = RawClient(cloud)
        let photo = client.record("Photo", named: text.rawValue, ["name": "p"])
        photo["data"] = try asset(on: device)
        photo["album"] = client.reference(to: text.rawValue)
        let other = client.record("Photo", named: "other", ["name": "other"])
        other["album"] = client.reference(to: "../" + text.rawValue)
        try await client.save(photo, other)
        try await device.store.sync()
        #expect(try device.count("Photo") == 2)
        files.expectWhole("pulled")
        // The album is deleted, the data is replaced, then the object is deleted, and everything is
        // sent.
        try device.edit { context in
            for photo in try Device.all("Photo", in: context) {
                photo.setValue(nil, forKey: "album")
                photo.setValue(PhotoModel.data(3), forKey: "data")
            }
        }
        try await device.store.sync()
        files.expectWhole("edited")
        try await client.delete("other")
        try Self.delete(device)
        try await device.store.sync()
        files.expectWhole("deleted")
        #expect(try device.count("Photo") == 0)
        #expect(try await client.records().isEmpty)
    }

    @Test("also the string in a field on the server that should be an asset")
    func fieldOfData() async throws {
        for text in Text.allCases {
            let device = try device()
            let files = try Files(on: device)
            try await device.store.sync()
            let client = RawClient(cloud)
            try await client.save(
                client.record(
                    "Photo", named: UUID().uuidString,
                    ["name": "p", "data": Data(text.rawValue.utf8)]))
            try await device.store.sync()
            try device.setPhoto("p", nil)
            try await device.store.sync()
            files.expectWhole("\(text)")
            try Self.delete(device)
            try await device.store.sync()
        }
    }

    @Test("not even the file of another object", arguments: [false, true])
    func anotherObject(isDeletion: Bool) async throws {
        let device = try device()
        try device.add("Photo", ["name": "q", "data": PhotoModel.data(2)])
        let name = try #require(try device.externalFileNames().first)
        for text in [name, String(name.prefix(36))] {
            try device.add("Photo", ["name": "p", "text": text])
            if isDeletion { try Self.delete(device) } else { try Self.clear(device) }
            try await device.store.sync()
            #expect(try device.externalFileNames() == [name])
        }
        try device.relaunch(model: Self.model())
        try device.read { context in
            let photo = try Device.object("Photo", "q", in: context)
            #expect(photo.value(forKey: "data") as? Data == PhotoModel.data(2))
        }
    }

    private func asset(on device: Device) throws -> CKAsset {
        let url = device.directory.appendingPathComponent("asset")
        try PhotoModel.data(2).write(to: url)
        return CKAsset(fileURL: url)
    }
}
