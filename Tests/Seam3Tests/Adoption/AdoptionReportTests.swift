import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite
import Testing

@Suite("The report of an adoption", .tags(.existingDataIsAdopted, .nothingLeftOutSilently))
struct AdoptionReportTests {
    private func model() -> NSManagedObjectModel {
        let folder = NSEntityDescription(
            "Folder",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("size", .integer32AttributeType),
            ])
        let note = NSEntityDescription(
            "Note", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((note, "folder", 1), (folder, "notes", 0))
        return NSManagedObjectModel(folder, note)
    }

    private func rows() -> [CoreDataFileWriter.Row] {
        var first = CoreDataFileWriter.Row("Note", 1, ["name": "n1"])
        first.toOnes = ["folder": 1]
        var second = CoreDataFileWriter.Row("Note", 2, ["name": "n2"])
        second.toOnes = ["folder": 7]
        return [
            CoreDataFileWriter.Row("Folder", 1, ["name": "f", "size": 5]), first, second,
        ]
    }

    private func text(_ adoption: SMAdoption?) -> [String] {
        (adoption?.report ?? []).map(\.description)
    }

    @Test("lists what was found, adopted and left out of each entity and property")
    func counts() throws {
        let file = try AdoptedFile(model(), rows())
        let adoption = try SMStore.adoptFile(at: file.url, model: model())
        #expect(
            text(adoption) == [
                "Folder: 1 found, 1 adopted, 0 changed, 0 left out",
                "Folder.name: 1 found, 1 adopted, 0 changed, 0 left out",
                "Folder.size: 1 found, 1 adopted, 0 changed, 0 left out",
                "Note: 2 found, 2 adopted, 0 changed, 0 left out",
                "Note.folder: 2 found, 1 adopted, 0 changed, 1 left out: its destination is not in"
                    + " the file",
                "Note.name: 2 found, 2 adopted, 0 changed, 0 left out",
            ])
        #expect(adoption?.leftOut.map(\.property) == ["folder"])
    }

    @Test(
        "lists values that their attributes cannot have as left out",
        arguments: [
            (NSAttributeType.UUIDAttributeType, SQLiteValue.blob(Data([1]))),
            (.UUIDAttributeType, "0E0AA3A5"), (.URIAttributeType, ""),
            (.integer32AttributeType, .real(1.5)), (.integer64AttributeType, "x"),
            (.booleanAttributeType, "x"), (.stringAttributeType, .blob(Data([65]))),
            (.binaryDataAttributeType, "text"), (.dateAttributeType, "2001"),
            (.doubleAttributeType, "x"), (.decimalAttributeType, "x"),
        ])
    func misfits(type: NSAttributeType, value: SQLiteValue) throws {
        let model = NSManagedObjectModel(
            NSEntityDescription("Item", [NSAttributeDescription("value", type)]))
        let file = try AdoptedFile(
            model,
            [CoreDataFileWriter.Row("Item", 1), CoreDataFileWriter.Row("Item", 2)])
        // A column without a type keeps the value as it is.
        try file.change("ALTER TABLE ZITEM DROP COLUMN ZVALUE")
        try file.change("ALTER TABLE ZITEM ADD ZVALUE")
        try file.change("UPDATE ZITEM SET ZVALUE = ? WHERE Z_PK = 1", [value])
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(
            text(adoption).contains(
                "Item.value: 1 found, 0 adopted, 0 changed, 1 left out:"
                    + " the value does not have the attribute's type"))
        let stack = try StoreStack(at: file.url, model: model)
        try stack.perform { context in
            for item in try Device.all("Item", in: context) {
                #expect(item.value(forKey: "value") == nil)
            }
        }
    }

    @Test("names tables and columns that the file's model does not describe")
    func leftovers() throws {
        let file = try AdoptedFile(model(), rows())
        try file.change("ALTER TABLE ZNOTE ADD ZSECRET VARCHAR")
        try file.change("ALTER TABLE ZNOTE ADD ZEMPTY VARCHAR")
        try file.change("UPDATE ZNOTE SET ZSECRET = 'x' WHERE Z_PK = 1")
        try file.change("CREATE TABLE ZGHOST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
        try file.change("INSERT INTO ZGHOST VALUES (1, 9), (2, 9)")
        let adoption = try SMStore.adoptFile(at: file.url, model: model())
        let leftOut = (adoption?.leftOut ?? []).filter { $0.property != "folder" }
        #expect(
            leftOut.map(\.description) == [
                "Note.ZSECRET: 1 found, 0 adopted, 0 changed, 1 left out: the model has no property"
                    + " for this column",
                "ZGHOST: 2 found, 0 adopted, 0 changed, 2 left out: the model has no entity for this"
                    + " table",
            ])
    }

    @Test("lists what the app's model no longer has, or has in another form")
    func migrated() throws {
        let newer = model()
        newer.entitiesByName["Folder"]?.properties.removeAll { $0.name == "name" }
        newer.entitiesByName["Folder"]?.attributesByName["size"]?.attributeType =
            .doubleAttributeType
        let file = try AdoptedFile(model(), Array(rows().prefix(2)))
        let adoption = try SMStore.adoptFile(at: file.url, model: newer)
        let lines = text(adoption)
        #expect(
            lines.contains(
                "Folder.name: 1 found, 0 adopted, 0 changed, 1 left out: the app's model has"
                    + " no such property"))
        #expect(
            lines.contains(
                "Folder.size: 1 found, 1 adopted, 1 changed, 0 left out: the attribute has another"
                    + " type in the app's model"))
        let without = model()
        without.entitiesByName["Note"]?.properties.removeAll { $0.name == "folder" }
        without.entities.removeAll { $0.name == "Folder" }
        let other = try AdoptedFile(model(), rows())
        let removed = try SMStore.adoptFile(at: other.url, model: without)
        #expect(
            text(removed).contains(
                "Folder: 1 found, 0 adopted, 0 changed, 1 left out: the app's model has no"
                    + " such entity"))
    }

    @Test("is the same after a dry run, which writes nothing")
    func dryRun() throws {
        let file = try AdoptedFile(model(), rows())
        let before = try AdoptionTests.contents(of: file.folder.url)
        let dry = try SMStore.adoptFile(at: file.url, model: model(), isDryRun: true)
        #expect(dry?.isDryRun == true)
        #expect(try AdoptionTests.contents(of: file.folder.url) == before)
        let adoption = try SMStore.adoptFile(at: file.url, model: model())
        #expect(adoption?.isDryRun == false)
        #expect(dry?.report == adoption?.report)
        #expect(dry?.originalURL == adoption?.originalURL)
    }

    @Test("is not made for a model that has nothing in common with the file; the error names both")
    func strangers() throws {
        let file = try AdoptedFile(model(), rows())
        let before = try AdoptionTests.contents(of: file.folder.url)
        let other = NSManagedObjectModel(
            NSEntityDescription("Planet", [NSAttributeDescription("name", .stringAttributeType)]))
        for keepsModel in [true, false] {
            if !keepsModel { try file.change("DROP TABLE Z_MODELCACHE") }
            let error = #expect(throws: SMStoreError.self) {
                try SMStore.adoptFile(at: file.url, model: other)
            }
            #expect(
                error?.description
                    == "The file at \(file.url.path) cannot be used: the model does not fit."
                    + " The file has Folder, Note; the model has Planet.", "\(keepsModel)")
        }
        #expect(try AdoptionTests.contents(of: file.folder.url).count == before.count)
    }
}
