import CoreData
import Seam3

extension MigrationCase {
    /// Changes with an inferred mapping, and the objects afterward.
    static let inferred: [MigrationCase] = [
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
            // The hash of the entity is the same after they are swapped.
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
            "a one-to-one relationship becomes one-to-many, in another field",
            ["Box b1 lid l1", "Lid l1 box b1"]
        ) {
            $0.relationship("Box", "lid").maxCount = 0
            $0.relationship("Lid", "box").userInfo = [SMStore.SMFieldNameUserInfoKey: "boxes"]
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
        MigrationCase(
            "a to-one relationship and its destination are renamed",
            ["Item i1 crate b1", "Item i3 crate b2", "Crate b1 items i1,i2"]
        ) {
            $0.rename($0.relationship("Item", "box"), "crate")
            $0.rename(entity: "Box", "Crate")
        },
        MigrationCase(
            "a renamed to-one relationship leads to a new parent of its destination",
            ["Item i1 part b1", "Box b1 items i1,i2", "Lid l1 box b1"]
        ) { shop in
            shop.model.entities.append(NSEntityDescription("Part"))
            shop["Part"].subentities = [shop["Box"], shop["Lid"]]
            let items = shop.relationship("Box", "items")
            shop.remove("items", from: "Box")
            shop["Part"].properties.append(items)
            shop.relationship("Item", "box").destinationEntity = shop["Part"]
            shop.rename(shop.relationship("Item", "box"), "part")
        },
        MigrationCase(
            "a to-many relationship's identifier is the name of an attribute",
            ["Item i1 tags t1", "Item i1 code 10", "Item i1 color nil"],
            from: { $0.relationship("Item", "tags").renamingIdentifier = "code" },
            { $0.add(NSAttributeDescription("color", .stringAttributeType), to: "Item") }),
        MigrationCase("an index and a constraint are added", ["Item i1 count 1"]) {
            $0.constrainAndIndex("code", of: "Item")
        },
        MigrationCase(
            "an index and a constraint are removed", ["Item i1 count 1"],
            from: { $0.constrainAndIndex("code", of: "Item") },
            {
                $0["Item"].indexes = []
                $0["Item"].uniquenessConstraints = []
            }),
        MigrationCase(
            "a constrained attribute is removed", ["Item i1 count 1"],
            from: { $0.constrainAndIndex("code", of: "Item") },
            {
                $0["Item"].indexes = []
                $0["Item"].uniquenessConstraints = []
                $0.remove("code", from: "Item")
            }),
        MigrationCase(
            "a required attribute becomes optional", ["Item i1 count 1"],
            from: {
                $0.attribute("Item", "count").isOptional = false
                $0.attribute("Item", "count").defaultValue = 0
            }, { $0.attribute("Item", "count").isOptional = true }),
        MigrationCase(
            "derived attributes are added",
            ["Box b1 size 2", "Box b2 size 1", "Item i1 shout I1", "Item i3 boxName b2"]
        ) {
            $0.addDerived("size", .integer32AttributeType, "items.@count", to: "Box")
            $0.addDerived("shout", .stringAttributeType, "uppercase:(name)", to: "Item")
            $0.addDerived("boxName", .stringAttributeType, "box.name", to: "Item")
        },
        MigrationCase(
            "derived attributes are removed", ["Box b1 items i1,i2", "Item i1 box b1"],
            from: {
                $0.addDerived("size", .integer32AttributeType, "items.@count", to: "Box")
                $0.addDerived("boxName", .stringAttributeType, "box.name", to: "Item")
            },
            {
                $0.remove("size", from: "Box")
                $0.remove("boxName", from: "Item")
            }),
        MigrationCase(
            "an attribute is derived otherwise", ["Box b1 sum 21", "Box b2 sum 3"],
            from: { $0.addDerived("sum", .integer32AttributeType, "items.@count", to: "Box") },
            {
                $0.remove("sum", from: "Box")
                $0.addDerived("sum", .integer32AttributeType, "items.count.@sum", to: "Box")
            }),
        MigrationCase("a composite attribute is added", ["Item i1 place nil", "Item i1 count 1"]) {
            $0.addComposite("place", "shelf", "row", to: "Item")
        },
        MigrationCase(
            "a composite attribute is removed", ["Item i1 count 1"],
            from: { $0.addComposite("place", "shelf", "row", to: "Item") },
            { $0.remove("place", from: "Item") }),
        MigrationCase(
            "a to-many relationship becomes an attribute of the same name",
            ["Box b1 items nil", "Box b1 lid l1", "Item i1 count 1"]
        ) {
            $0.remove("box", from: "Item")
            $0.remove("items", from: "Box")
            $0.add(NSAttributeDescription("items", .stringAttributeType), to: "Box")
        },
        MigrationCase(
            "an attribute that no record has had gets another type", ["Item i1 spare nil"],
            from: { $0.add(NSAttributeDescription("spare", .integer16AttributeType), to: "Item") },
            { $0.attribute("Item", "spare").attributeType = .doubleAttributeType }),
        MigrationCase(
            "an attribute that no record has had becomes a relationship", ["Item i1 spare nil"],
            from: { $0.add(NSAttributeDescription("spare", .stringAttributeType), to: "Item") }
        ) { shop in
            shop.remove("spare", from: "Item")
            NSRelationshipDescription.join((shop["Item"], "spare", 1), (shop["Tag"], "spares", 0))
        },
        MigrationCase("external storage is allowed in another field", ["Item i3 picture 2"]) {
            let picture = $0.attribute("Item", "picture")
            picture.allowsExternalBinaryDataStorage = true
            picture.userInfo = [SMStore.SMFieldNameUserInfoKey: "image"]
        },
    ]

    /// Changes without an inferred mapping, with words from the error's reason.
    static let refused: [MigrationCase] = [
        MigrationCase("a type that the values do not have", ["type of Item.count"]) {
            $0.attribute("Item", "count").attributeType = .dateAttributeType
        },
        MigrationCase("a type that would lose values", ["type of Item.price", "lose"]) {
            $0.attribute("Item", "price").attributeType = .integer64AttributeType
            $0.attribute("Item", "price").userInfo = [SMStore.SMFieldNameUserInfoKey: "euros"]
        },
        MigrationCase(
            "a one-to-one relationship that becomes one-to-many in its field",
            ["Lid.box was one-to-one", "SMFieldName"]
        ) { $0.relationship("Box", "lid").maxCount = 0 },
        MigrationCase("a field that would change its type", ["Item.count", "SMFieldName"]) {
            $0.attribute("Item", "count").attributeType = .doubleAttributeType
        },
        MigrationCase(
            "external storage that would change the type of a field",
            ["Item.picture allows external storage", "SMFieldName"]
        ) { $0.attribute("Item", "picture").allowsExternalBinaryDataStorage = true },
        MigrationCase(
            "the end of external storage, which would change the type of a field",
            ["Item.picture no longer allows external storage", "SMFieldName"],
            from: { $0.attribute("Item", "picture").allowsExternalBinaryDataStorage = true },
            { $0.attribute("Item", "picture").allowsExternalBinaryDataStorage = false }),
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
}
