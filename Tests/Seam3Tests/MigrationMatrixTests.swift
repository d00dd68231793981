import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// One change of the model, and what the objects have after it.
struct MigrationCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (ShopEntities) -> Void
    /// Entity, name, key and value of some objects, separated by spaces.
    let expected: [String]

    init(
        _ name: String, _ expected: [String], _ change: @escaping @Sendable (ShopEntities) -> Void
    ) {
        testDescription = name
        self.change = change
        self.expected = expected
    }
}

/// A model that is being changed.
struct ShopEntities {
    let model: NSManagedObjectModel

    /// An entity of the model, which has it by this name.
    subscript(name: String) -> NSEntityDescription {
        model.entitiesByName[name] ?? NSEntityDescription(name)
    }

    func attribute(_ entity: String, _ name: String) -> NSAttributeDescription {
        self[entity].attributesByName[name] ?? NSAttributeDescription()
    }

    func relationship(_ entity: String, _ name: String) -> NSRelationshipDescription {
        self[entity].relationshipsByName[name] ?? NSRelationshipDescription()
    }

    func add(_ attribute: NSAttributeDescription, to entity: String) {
        self[entity].properties.append(attribute)
    }

    func rename(_ property: NSPropertyDescription, _ name: String) {
        property.renamingIdentifier = property.name
        property.name = name
    }

    func rename(entity: String, _ name: String) {
        let description = self[entity]
        description.renamingIdentifier = entity
        description.name = name
    }

    func move(_ attribute: String, from entity: String, to others: String...) {
        let type = self.attribute(entity, attribute).attributeType
        self[entity].properties.removeAll { $0.name == attribute }
        for other in others { add(NSAttributeDescription(attribute, type), to: other) }
    }
}

@Suite("A migration inferred in place") struct MigrationMatrixTests {
    static let cases: [MigrationCase] = [
        MigrationCase("an attribute is added", ["Item i1 color nil", "Item i1 count 1"]) {
            $0.add(NSAttributeDescription("color", .stringAttributeType), to: "Item")
        },
        MigrationCase("a required attribute with a default is added", ["Item i1 color red"]) {
            let color = NSAttributeDescription("color", .stringAttributeType)
            color.isOptional = false
            color.defaultValue = "red"
            $0.add(color, to: "Item")
        },
        MigrationCase("an attribute is removed", ["Item i1 count 1", "Item i1 box b1"]) { shop in
            shop["Item"].properties.removeAll { $0.name == "note" }
        },
        MigrationCase("an attribute is renamed", ["Item i1 remark n", "Item i2 remark nil"]) {
            $0.rename($0.attribute("Item", "note"), "remark")
        },
        MigrationCase("two attributes exchange names", ["Item i1 code n", "Item i1 note 10"]) {
            shop in
            let (note, code) = (shop.attribute("Item", "note"), shop.attribute("Item", "code"))
            (note.renamingIdentifier, code.renamingIdentifier) = ("note", "code")
            note.userInfo = [SMStore.SMFieldNameUserInfoKey: "note"]
            code.userInfo = [SMStore.SMFieldNameUserInfoKey: "code"]
            // The hash of the entity does not see that they changed places.
            note.versionHashModifier = "exchanged"
            note.name = "other"
            code.name = "note"
            note.name = "code"
        },
        MigrationCase("an entity is added", ["Item i1 count 1"]) {
            $0.model.entities.append(
                NSEntityDescription("Shelf", [NSAttributeDescription("name", .stringAttributeType)])
            )
        },
        MigrationCase("an entity is removed", ["Item i1 box b1", "Box b1 items i1,i2"]) { shop in
            shop["Item"].properties.removeAll { $0.name == "tags" }
            shop.model.entities.removeAll { $0.name == "Tag" }
        },
        MigrationCase(
            "an entity is renamed",
            ["Thing i1 tags t1", "Box b1 items i1,i2", "Tag t1 items i1,i2"]
        ) { $0.rename(entity: "Item", "Thing") },
        MigrationCase("an attribute becomes required", ["Item i1 note n", "Item i2 note x"]) {
            $0.attribute("Item", "note").isOptional = false
            $0.attribute("Item", "note").defaultValue = "x"
        },
        MigrationCase("an integer gets wider", ["Item i3 count 3"]) {
            $0.attribute("Item", "count").attributeType = .integer64AttributeType
        },
        MigrationCase("an integer becomes a double in another field", ["Item i3 count 3.0"]) {
            $0.attribute("Item", "count").attributeType = .doubleAttributeType
            $0.attribute("Item", "count").userInfo = [SMStore.SMFieldNameUserInfoKey: "amount"]
        },
        MigrationCase("an integer becomes a string in another field", ["Item i3 count 3"]) {
            $0.attribute("Item", "count").attributeType = .stringAttributeType
            $0.attribute("Item", "count").userInfo = [SMStore.SMFieldNameUserInfoKey: "number"]
        },
        MigrationCase("a double becomes a decimal", ["Item i3 price 2.5"]) {
            $0.attribute("Item", "price").attributeType = .decimalAttributeType
        },
        MigrationCase("a string becomes an integer in another field", ["Item i3 code 12"]) {
            $0.attribute("Item", "code").attributeType = .integer32AttributeType
            $0.attribute("Item", "code").userInfo = [SMStore.SMFieldNameUserInfoKey: "codeNumber"]
        },
        MigrationCase(
            "a to-one relationship becomes to-many", ["Item i1 box b1", "Box b1 items i1,i2"]
        ) { $0.relationship("Item", "box").maxCount = 0 },
        MigrationCase(
            "a one-to-one relationship becomes one-to-many", ["Box b1 lid l1", "Lid l1 box b1"]
        ) {
            $0.relationship("Box", "lid").maxCount = 0
        },
        MigrationCase(
            "a to-many relationship becomes to-one where nothing is lost",
            ["Person p1 items i1", "Item i1 owner p1", "Person p2 items i3"]
        ) { $0.relationship("Person", "items").maxCount = 1 },
        MigrationCase(
            "a many-to-many relationship becomes to-one where nothing is lost",
            ["Item i1 tags t1", "Item i3 tags t2", "Tag t1 items i1,i2"]
        ) { $0.relationship("Item", "tags").maxCount = 1 },
        MigrationCase(
            "the ends of a relationship change places",
            ["Person p1 items i1", "Item i1 owner p1", "Item i2 owner "]
        ) {
            $0.relationship("Person", "items").maxCount = 1
            $0.relationship("Item", "owner").maxCount = 0
        },
        MigrationCase(
            "an ordered relationship becomes many-to-many",
            ["List list entries e2,e3,e1", "Entry e1 list list"]
        ) { $0.relationship("Entry", "list").maxCount = 0 },
        MigrationCase("an ordered relationship loses its order", ["List list entries e1,e2,e3"]) {
            $0.relationship("List", "entries").isOrdered = false
        },
        MigrationCase("a relationship gets an order", ["Tag t2 items i3", "Item i1 box b1"]) {
            $0.relationship("Tag", "items").isOrdered = true
            $0.relationship("Box", "items").isOrdered = true
        },
        MigrationCase(
            "entities get a parent, which takes an attribute",
            ["Box b1 name b1", "Lid l1 box b1", "Lid l1 name l1", "Box b1 items i1,i2"]
        ) { shop in
            shop.model.entities.append(NSEntityDescription("Part"))
            shop["Part"].subentities = [shop["Box"], shop["Lid"]]
            for child in ["Box", "Lid"] { shop[child].properties.removeAll { $0.name == "name" } }
            shop.add(NSAttributeDescription("name", .stringAttributeType), to: "Part")
        },
        MigrationCase(
            "a parent is removed",
            ["Car c1 plate C", "Truck k1 plate K", "Car c1 doors 5", "Truck k1 load 7.5"]
        ) { shop in
            shop["Person"].properties.removeAll { $0.name == "vehicles" }
            shop["Vehicle"].subentities = []
            for child in ["Car", "Truck"] {
                for attribute in ["name", "plate"] {
                    shop.add(NSAttributeDescription(attribute, .stringAttributeType), to: child)
                }
            }
            shop.model.entities.removeAll { $0.name == "Vehicle" }
        },
        MigrationCase("an attribute moves up", ["Car c1 doors 5", "Truck k1 doors nil"]) {
            $0.move("doors", from: "Car", to: "Vehicle")
        },
        MigrationCase("an attribute moves down", ["Car c1 plate C", "Truck k1 plate K"]) {
            $0.move("plate", from: "Vehicle", to: "Car", "Truck")
        },
        MigrationCase(
            "an entity moves under another", ["Box b1 lid l1", "Lid l1 box b1", "Lid l1 name l1"]
        ) {
            shop in
            shop["Lid"].properties.removeAll { $0.name == "name" }
            shop["Box"].subentities = [shop["Lid"]]
        },
        MigrationCase(
            "a many-to-many relationship is renamed", ["Item i1 labels t1", "Tag t1 things i1,i2"]
        ) {
            $0.rename($0.relationship("Item", "tags"), "labels")
            $0.rename($0.relationship("Tag", "items"), "things")
        },
        MigrationCase("the destination becomes its parent", ["Person p1 vehicles c1"]) { shop in
            shop.model.entities.append(NSEntityDescription("Being"))
            shop["Being"].subentities = [shop["Person"]]
            shop.relationship("Vehicle", "driver").destinationEntity = shop["Being"]
            let vehicles = shop.relationship("Person", "vehicles")
            shop["Person"].properties.removeAll { $0.name == "vehicles" }
            shop["Being"].properties.append(vehicles)
        },
        MigrationCase("an index and a constraint are added", ["Item i1 count 1"]) { shop in
            let element = NSFetchIndexElementDescription(
                property: shop.attribute("Item", "code"), collationType: .binary)
            shop["Item"].indexes = [NSFetchIndexDescription(name: "byCode", elements: [element])]
            shop["Item"].uniquenessConstraints = [["code"]]
        },
        MigrationCase("external storage is allowed", ["Item i3 picture 2"]) {
            $0.attribute("Item", "picture").allowsExternalBinaryDataStorage = true
        },
    ]

    let cloud = LocalCloud.inMemory()

    /// A device with a file of the old model: most of it is on the server, and something waits.
    private func device() async throws -> Device {
        let device = try Device("shop", on: cloud, model: ShopModel.make())
        try ShopModel.fill(device)
        try await device.store.sync()
        try device.edit { context in
            try Device.object("Item", "i2", in: context).setValue(20, forKey: "count")
            try Device.object("Box", "b2", in: context).setValue("b2", forKey: "name")
        }
        return device
    }

    private func changed(_ change: (ShopEntities) -> Void) -> NSManagedObjectModel {
        let shop = ShopEntities(model: ShopModel.make())
        change(shop)
        return shop.model
    }

    @Test("keeps all that the new model has", arguments: cases)
    func keeps(migration: MigrationCase) async throws {
        let device = try await device()
        let before = try FileContents(device)
        try device.relaunch(model: changed(migration.change))
        for line in migration.expected {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try device.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
        let after = try FileContents(device)
        #expect(after.syncState == before.syncState)
        #expect(after.check == "ok")
        for (pk, record) in after.records where before.records[pk] != nil {
            #expect(before.records[pk] == record)
        }
        #expect(after.waiting.isSuperset(of: before.waiting))
    }

    @Test("is followed by a synchronisation that ends with nothing waiting", arguments: cases)
    func synchronises(migration: MigrationCase) async throws {
        let device = try await device()
        try device.relaunch(model: changed(migration.change))
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        for line in migration.expected {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try device.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
    }

    /// What cannot be inferred, with words of the reason.
    static let refusals: [MigrationCase] = [
        MigrationCase("a type that the values do not have", ["type of Item.count"]) {
            $0.attribute("Item", "count").attributeType = .dateAttributeType
        },
        MigrationCase("a type that would lose values", ["type of Item.price", "lose"]) {
            $0.attribute("Item", "price").attributeType = .integer64AttributeType
            $0.attribute("Item", "price").userInfo = [SMStore.SMFieldNameUserInfoKey: "euros"]
        },
        MigrationCase("a field that would change its type", ["Item.count", "SMFieldName"]) {
            $0.attribute("Item", "count").attributeType = .doubleAttributeType
        },
        MigrationCase("a to-many relationship that would lose objects", ["Box.items", "several"]) {
            $0.relationship("Box", "items").maxCount = 1
        },
        MigrationCase("a many-to-many one that would lose objects", ["Tag.items", "several"]) {
            $0.relationship("Tag", "items").maxCount = 1
        },
        MigrationCase("an attribute that becomes a relationship", ["Item.note was an attribute"]) {
            shop in
            shop["Item"].properties.removeAll { $0.name == "note" }
            NSRelationshipDescription.join((shop["Item"], "note", 1), (shop["Box"], "notes", 0))
        },
        MigrationCase("another destination", ["destination of"]) { shop in
            let items = shop.relationship("Box", "items")
            shop["Box"].properties.removeAll { $0.name == "items" }
            shop["Lid"].properties.append(items)
            shop.relationship("Item", "box").destinationEntity = shop["Lid"]
        },
        MigrationCase("a required attribute without a default", ["Item.color is required"]) {
            let color = NSAttributeDescription("color", .stringAttributeType)
            color.isOptional = false
            $0.add(color, to: "Item")
        },
    ]

    @Test("is refused with the reason, and leaves the file as it was", arguments: refusals)
    func refuses(migration: MigrationCase) async throws {
        let device = try await device()
        let before = try FileContents(device)
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: changed(migration.change))
        }
        #expect(error?.code == .inferredMappingModel)
        let reason = error?.userInfo["reason"] as? String ?? ""
        for word in migration.expected { #expect(reason.contains(word), "\(reason)") }
        try device.open(model: ShopModel.make())
        #expect(try FileContents(device) == before)
        #expect(try device.text("Item", "i1", "box") == "b1")
    }
}

/// What a store file has beside the objects.
struct FileContents: Equatable {
    /// pk → record name and whether the server knows the record.
    var records: [Int64: String] = [:]
    var waiting: Set<Int64> = []
    var syncState: [String: String] = [:]
    let check: String

    init(_ device: Device) throws {
        let connection = try SQLiteConnection(
            path: device.directory.appendingPathComponent("Clocks.sqlite").path,
            options: SQLiteConnection.Options(readOnly: true))
        let records = try connection.rows(
            "SELECT pk, record_name || ' ' || (system_fields IS NOT NULL) FROM sm_object"
        ) { ($0.integer(at: 0), $0.text(at: 1)) }
        self.records = Dictionary(uniqueKeysWithValues: records)
        waiting = Set(try connection.rows("SELECT pk FROM sm_change") { $0.integer(at: 0) })
        let state = try connection.rows(
            "SELECT key, value FROM sm_metadata WHERE key IN ('user', 'zone_created', 'subscribed')"
        ) { ($0.text(at: 0), $0.text(at: 1)) }
        syncState = Dictionary(uniqueKeysWithValues: state)
        check = try connection.firstRow("PRAGMA integrity_check") { $0.text(at: 0) } ?? ""
    }
}
