import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A file of an older model") struct MigrationTests {
    let cloud = LocalCloud.inMemory()

    /// A device whose file has a zone, a folder and the clock "home" in both.
    private func device(_ name: String = "a") throws -> Device {
        let device = try Device(name, on: cloud)
        try device.add("Zone", ["name": "Europe/Vienna"])
        try device.add("Folder", ["name": "family"])
        try device.add("Clock", ["label": "home", "note": "n", "position": 3])
        try device.relate("home", "timeZone", to: "Europe/Vienna")
        try device.relate("home", "folder", to: "family")
        return device
    }

    private func model(_ change: ([String: NSEntityDescription]) -> Void) -> NSManagedObjectModel {
        let model = ClockModel.make()
        change(model.entitiesByName)
        return model
    }

    private func attribute(
        _ name: String, _ type: NSAttributeType, default value: Any? = nil,
        isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.defaultValue = value
        return attribute
    }

    @Test("gets new attributes, the required ones with their default")
    func addedAttributes() throws {
        let device = try device()
        try device.relaunch(
            model: model {
                $0["Clock"]?.properties += [
                    attribute("color", .stringAttributeType),
                    attribute("isLoud", .booleanAttributeType, default: true, isOptional: false),
                ]
            })
        #expect(try device.hasNoValue("color", of: "home"))
        #expect(try device.value("isLoud", of: "home") == true)
        #expect(try device.value("position", of: "home") == 3)
        try device.change("home", ["color": "red"])
        #expect(try device.value("color", of: "home") == "red")
    }

    /// Old and new types of an attribute with the value 3, and the converted value.
    private static let numbers: [(NSAttributeType, String)] = [
        (.integer16AttributeType, "3"), (.integer64AttributeType, "3"),
        (.decimalAttributeType, "3"), (.doubleAttributeType, "3.0"), (.floatAttributeType, "3.0"),
        (.stringAttributeType, "3"),
    ]

    @Test(
        "that was never synced may change the type of any number",
        arguments: numbers.dropLast().map(\.0.rawValue), numbers.map(\.0.rawValue))
    func numbersOfUnsentFile(old: UInt, new: UInt) throws {
        func item(_ type: UInt) -> NSManagedObjectModel {
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item",
                    [
                        NSAttributeDescription("name", .stringAttributeType),
                        NSAttributeDescription(
                            "size", NSAttributeType(rawValue: type) ?? .undefinedAttributeType),
                    ]))
        }
        let device = try Device("unsent", on: cloud, model: item(old))
        try device.edit { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            object.setValue("i", forKey: "name")
            object.setValue(
                old == NSAttributeType.decimalAttributeType.rawValue
                    ? NSDecimalNumber(value: 3) : NSNumber(value: 3), forKey: "size")
        }
        try device.relaunch(model: item(new))
        let text = try device.text("Item", "i", "size")
        #expect(Double(text) == 3)
    }

    @Test("loses removed attributes and entities, and nothing else")
    func removals() throws {
        let device = try device()
        try device.relaunch(
            model: model { entities in
                entities["Clock"]?.properties.removeAll { ["note", "folder"].contains($0.name) }
                guard let folder = entities["Folder"] else { return }
                folder.managedObjectModel.entities.removeAll { $0 === folder }
            })
        try device.read { context in
            let clock = try Device.clock("home", in: context)
            #expect(clock.entity.attributesByName["note"] == nil)
            let zone = clock.value(forKey: "timeZone") as? NSManagedObject
            #expect(zone?.value(forKey: "name") as? String == "Europe/Vienna")
        }
    }

    /// The model with the note renamed to remark and folders to drawers.
    private func renamedModel() -> NSManagedObjectModel {
        model { entities in
            guard let note = entities["Clock"]?.attributesByName["note"],
                let folder = entities["Folder"]
            else { return }
            note.renamingIdentifier = "note"
            note.name = "remark"
            folder.renamingIdentifier = "Folder"
            folder.name = "Drawer"
        }
    }

    @Test(
        "keeps what was renamed, and the field it has in CloudKit",
        .tags(.identityFollowsRenames, .snapshotHoldsEverything))
    func renaming() async throws {
        let device = try device()
        try await device.store.sync()
        try device.change("home", ["note": "pending"])
        try device.relaunch(model: renamedModel())
        #expect(try device.value("remark", of: "home") == "pending")
        try device.read { context in
            let drawers = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Drawer"))
            #expect((drawers.first?.value(forKey: "clocks") as? Set<NSManagedObject>)?.count == 1)
        }
        try await device.store.sync()
        let older = try Device("older", on: cloud)
        try await older.store.sync()
        #expect(try older.value("note", of: "home") == "pending")
        #expect(try older.table().count == 3)
    }

    @Test(
        "and a fresh install of a model with renamed parts are compatible",
        .tags(.identityFollowsRenames))
    func renamedFreshInstall() async throws {
        let older = try device()
        try await older.store.sync()
        let fresh = try Device("fresh", on: cloud, model: renamedModel())
        try await fresh.store.sync()
        #expect(try fresh.value("remark", of: "home") == "n")
        try fresh.change("home", ["remark": "from the new model"])
        try await fresh.store.sync()
        try await older.store.sync()
        #expect(try older.value("note", of: "home") == "from the new model")
    }

    @Test(
        "is refused if a new property would take the field of a renamed one",
        .tags(.snapshotHoldsEverything))
    func fieldTakenTwice() throws {
        let device = try device()
        let error = #expect(throws: SMStoreError.self) {
            try device.relaunch(
                model: model { entities in
                    let note = entities["Clock"]?.attributesByName["note"]
                    note?.renamingIdentifier = "note"
                    note?.name = "remark"
                    entities["Clock"]?.properties.append(attribute("note", .stringAttributeType))
                })
        }
        #expect(error?.description.contains("needs the field note, too") == true)
    }

    @Test(
        "leaves a new property empty that has a removed one's name but another identity",
        .tags(.identityFollowsRenames))
    func nameTakenOver() throws {
        let device = try device()
        try device.change("home", ["note": "gone"])
        try device.relaunch(
            model: model { entities in
                entities["Clock"]?.attributesByName["note"]?.renamingIdentifier = "melody"
            })
        #expect(try device.value("note", of: "home") == nil)
    }

    @Test(
        "keeps the objects of an entity whose renaming identifier no version used",
        .tags(.identityFollowsRenames))
    func unknownEntityIdentifier() throws {
        let device = try device()
        try device.change("home", ["note": "kept"])
        try device.relaunch(
            model: model { entities in entities["Clock"]?.renamingIdentifier = "Chronometer" })
        #expect(try device.value("note", of: "home") == "kept")
    }

    @Test("gets new entities and relationships")
    func addedEntity() throws {
        let device = try device()
        func withOwner() -> NSManagedObjectModel {
            let owner = NSEntityDescription()
            owner.name = "Owner"
            owner.properties = [attribute("name", .stringAttributeType)]
            let model = ClockModel.make()
            if let clock = model.entitiesByName["Clock"] {
                ClockModel.join(clock, "owner", to: owner, "clocks")
            }
            model.entities.append(owner)
            return model
        }
        try device.relaunch(model: withOwner())
        try device.add("Owner", ["name": "me"])
        try device.edit { context in
            try Device.clock("home", in: context)
                .setValue(try Device.object("Owner", "me", in: context), forKey: "owner")
        }
        try device.relaunch(model: withOwner())
        try device.read { context in
            let owner = try Device.object("Owner", "me", in: context)
            let clocks = owner.value(forKey: "clocks") as? Set<NSManagedObject>
            #expect(clocks == [try Device.clock("home", in: context)])
        }
    }

    @Test("asks the server again for the values of new attributes")
    func newAttributeComesFromServer() async throws {
        let withColor = { [self] in
            model { $0["Clock"]?.properties.append(attribute("color", .stringAttributeType)) }
        }
        let newer = try Device("newer", on: cloud, model: withColor())
        let older = try device()
        try await Device.settle(older, newer)
        try newer.change("home", ["color": "red"])
        try await Device.settle(newer, older)
        #expect(try older.store.syncStatus().pendingChangeCount == 0)
        try older.relaunch(model: withColor())
        try await older.store.sync()
        #expect(try older.value("color", of: "home") == "red")
    }

    @Test("learns of deletions on other devices when it asks the server again")
    func deletionsWhenAskingAgain() async throws {
        let (other, device) = (try device("other"), try device())
        try await Device.settle(other, device)
        try device.relaunch(
            model: model {
                $0["Clock"]?.properties.append(attribute("color", .stringAttributeType))
            })
        #expect(try device.count("Clock") == 2)
        try other.edit { context in
            for clock in try Device.all("Clock", in: context) { context.delete(clock) }
        }
        try await other.store.sync()
        try await device.store.sync()
        #expect(try device.count("Clock") == 0)
    }

    @Test("asks the server again for the objects of new entities and their links")
    func newEntityComesFromServer() async throws {
        let withTags = { [self] in
            model { entities in
                guard let clock = entities["Clock"] else { return }
                let tag = NSEntityDescription("Tag", [attribute("name", .stringAttributeType)])
                NSRelationshipDescription.join((clock, "tags", 0), (tag, "clocks", 0))
                clock.managedObjectModel.entities.append(tag)
            }
        }
        let newer = try Device("newer", on: cloud, model: withTags())
        let older = try device()
        try await Device.settle(older, newer)
        try newer.addAll("Tag", "red")
        try newer.edit { context in
            let tags = NSSet(array: [try Device.object("Tag", "red", in: context)])
            try Device.clock("home", in: context).setValue(tags, forKey: "tags")
        }
        try await Device.settle(newer, older)
        try older.relaunch(model: withTags())
        try await older.store.sync()
        try older.read { context in
            let clocks = try Device.object("Tag", "red", in: context).value(forKey: "clocks")
            #expect(clocks as? Set<NSManagedObject> == [try Device.clock("home", in: context)])
        }
    }

    /// Changes that need a mapping model, with a word from the error's reason.
    static let refusals: [(String, change: @Sendable ([String: NSEntityDescription]) -> Void)] = [
        (
            "type",
            { $0["Clock"]?.attributesByName["position"]?.attributeType = .dateAttributeType }
        ),
        (
            "required",
            { entities in
                let color = NSAttributeDescription()
                color.name = "color"
                color.attributeType = .stringAttributeType
                color.isOptional = false
                entities["Clock"]?.properties.append(color)
            }
        ),
    ]

    @Test(
        "is refused with the reason and left unchanged if no mapping can be inferred",
        arguments: 0..<2)
    func refusal(index: Int) throws {
        let (word, change) = Self.refusals[index]
        let device = try device()
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: model(change))
        }
        #expect(error?.code == .inferredMappingModel)
        #expect((error?.userInfo["reason"] as? String)?.contains(word) == true)
        try device.open(model: ClockModel.make())
        #expect(try device.value("position", of: "home") == 3)
    }

    @Test("is refused with 134100 if the options do not ask for a migration")
    func withoutOptions() throws {
        let device = try device()
        let changed = model {
            $0["Clock"]?.properties.append(attribute("color", .stringAttributeType))
        }
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: changed, migrates: false)
        }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        try device.open(model: ClockModel.make())
        #expect(try device.value("position", of: "home") == 3)
    }
}
