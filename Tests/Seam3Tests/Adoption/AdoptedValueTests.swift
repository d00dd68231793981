import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite
import Testing

@Suite("The values of an adopted file", .tags(.existingDataIsAdopted))
struct AdoptedValueTests {
    private static let archive =
        (try? NSKeyedArchiver.archivedData(
            withRootObject: ["a", "b"] as NSArray, requiringSecureCoding: true)) ?? Data()
    private static let externalName = "0E0AA3A5-5C1C-4C10-9C16-2A3DCE9B4E7D"

    private func model(isExternal: Bool) -> NSManagedObjectModel {
        let list = NSAttributeDescription("list", .transformableAttributeType)
        list.valueTransformerName = "NSSecureUnarchiveFromData"
        list.allowsExternalBinaryDataStorage = isExternal
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item", [NSAttributeDescription("name", .stringAttributeType), list]))
    }

    @Test(
        "that a transformer produces are read, whether they are inline, external, or without a mark"
    )
    func transformables() throws {
        let inline = Data([1]) + Self.archive
        let outside = Data([2]) + Data(Self.externalName.utf8) + Data([0])
        for (isExternal, bytes) in [(true, inline), (true, outside), (false, Self.archive)] {
            let file = try AdoptedFile(
                model(isExternal: isExternal),
                [CoreDataFileWriter.Row("Item", 1, ["name": "i", "list": .blob(bytes)])])
            let support = file.folder.url.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
            try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
            try Self.archive.write(to: support.appendingPathComponent(Self.externalName))
            let stack = try file.open()
            let list = try stack.perform { context in
                try Device.all("Item", in: context).first?.value(forKey: "list") as? [String]
            }
            #expect(list == ["a", "b"], "\(isExternal) \(bytes.first ?? 0)")
        }
    }

    private func notes(_ entity: String, _ attribute: String) -> NSManagedObjectModel {
        let text = NSAttributeDescription(attribute, .stringAttributeType)
        if attribute != "text" { text.renamingIdentifier = "text" }
        let note = NSEntityDescription(
            entity, [NSAttributeDescription("name", .stringAttributeType), text])
        if entity != "Note" { note.renamingIdentifier = "Note" }
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((note, "tags", 0), (tag, "notes", 0))
        if entity != "Note" {
            note.relationshipsByName["tags"]?.renamingIdentifier = "tags"
            note.relationshipsByName["tags"]?.name = "labels"
        }
        return NSManagedObjectModel(note, tag)
    }

    @Test("are found by renaming identifiers in a file without a model")
    func withoutModel() throws {
        var row = CoreDataFileWriter.Row("Note", 1, ["name": "n", "text": "kept"])
        row.toManys = ["tags": [1]]
        let file = try AdoptedFile(
            notes("Note", "text"), keepsModel: false,
            [CoreDataFileWriter.Row("Tag", 1, ["name": "t"]), row])
        let adoption = try SMStore.adoptFile(at: file.url, model: notes("Remark", "body"))
        #expect(adoption?.leftOut == [])
        let stack = try StoreStack(at: file.url, model: notes("Remark", "body"))
        let body = try stack.perform { context in
            try Device.all("Remark", in: context).first?.value(forKey: "body") as? String
        }
        #expect(body == "kept")
        #expect(try stack.members("Remark", "n", "labels") == ["t"])
    }

    @Test(
        "include the default of a required attribute that is newer than the file",
        arguments: [true, false])
    func newRequired(keepsModel: Bool) throws {
        let file = try AdoptedFile(
            notes("Note", "text"), keepsModel: keepsModel,
            [CoreDataFileWriter.Row("Note", 1, ["name": "n"])])
        let model = notes("Note", "text")
        let kind = NSAttributeDescription("kind", .stringAttributeType)
        kind.isOptional = false
        kind.defaultValue = "plain"
        model.entitiesByName["Note"]?.properties.append(kind)
        let stack = try file.open(model)
        try stack.perform { context in
            let note = try #require(try Device.all("Note", in: context).first)
            #expect(note.value(forKey: "kind") as? String == "plain")
            note.setValue("edited", forKey: "name")
            try context.save()
        }
    }

    @Test(
        "are named by the error for a file that is not adopted, with the remedy", arguments: 0..<3)
    func advice(kind: Int) throws {
        let file = try AdoptedFile(notes("Note", "text"), [])
        let words: [String]
        switch kind {
        case 0: words = ["SMStoreAdoptionOption"]
        case 1:
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["a": Data(count: 200)], format: .binary, options: 0)
            try list.write(to: file.url)
            words = ["binary store", "migratePersistentStore"]
        default:
            try Data(("<?xml version=\"1.0\"?>" + String(repeating: " ", count: 200)).utf8)
                .write(to: file.url)
            words = ["XML store", "migratePersistentStore"]
        }
        let error = #expect(throws: SMStoreError.self) {
            try StoreStack(at: file.url, model: notes("Note", "text"))
        }
        for word in words { #expect(error?.description.contains(word) == true, "\(word)") }
    }
}
