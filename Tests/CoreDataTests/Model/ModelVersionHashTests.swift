import Testing

@testable import CoreData

@Suite("Version hashes")
struct ModelVersionHashTests {
    func hash(_ change: (NSEntityDescription) -> Void = { _ in }) throws -> Data {
        let model = makeStaffModel()
        let entity = try #require(model.entitiesByName["Employee"])
        change(entity)
        return entity.versionHash
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func sha256(text: String, expected: String) {
        var hash = SHA256()
        hash.update(text.utf8)
        let digest = hash.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digest == expected)
    }

    @Test("A hash has 32 bytes and does not depend on the order of properties")
    func order() throws {
        let original = try hash()
        #expect(original.count == 32)
        #expect(try original == hash { $0.properties = $0.properties.reversed() })
    }

    @Test("What means nothing to a store leaves the hash alone")
    func irrelevant() throws {
        let original = try hash()
        #expect(try original == hash { $0.managedObjectClassName = "App.Employee" })
        #expect(try original == hash { $0.userInfo = ["a": "b"] })
        #expect(try original == hash { $0.renamingIdentifier = "Worker" })
        #expect(
            try original
                == hash { $0.attributesByName["salary"]?.defaultValue = 7 })
        #expect(
            try original
                == hash {
                    let cache = NSAttributeDescription()
                    cache.name = "cache"
                    cache.isTransient = true
                    $0.properties += [cache]
                })
    }

    @Test("What means something to a store changes the hash")
    func relevant() throws {
        let original = try hash()
        let changes: [(NSEntityDescription) -> Void] = [
            { $0.name = "Worker" },
            { $0.isAbstract = true },
            { $0.versionHashModifier = "2" },
            { $0.uniquenessConstraints = [["name"]] },
            { $0.attributesByName["salary"]?.attributeType = .integer64AttributeType },
            { $0.attributesByName["salary"]?.isOptional = false },
            { $0.attributesByName["salary"]?.name = "wage" },
            { $0.attributesByName["salary"]?.versionHashModifier = "2" },
            { $0.attributesByName["name"]?.isOptional = true },
            { $0.relationshipsByName["department"]?.maxCount = 0 },
            { $0.relationshipsByName["department"]?.isOrdered = true },
            { $0.relationshipsByName["department"]?.deleteRule = .cascadeDeleteRule },
            { $0.properties = [] },
        ]
        var hashes = Set(try changes.map { try hash($0) })
        hashes.insert(original)
        #expect(hashes.count == changes.count + 1)
    }

    @Test("A model is compatible with a store of the same entities only")
    func compatibility() throws {
        let model = makeStaffModel()
        let key = "NSStoreModelVersionHashes"
        let metadata: [String: Any] = [key: model.entityVersionHashesByName]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        #expect(!model.isConfiguration(withName: "none", compatibleWithStoreMetadata: metadata))
        model.setEntities(
            [try #require(model.entitiesByName["Department"])], forConfigurationName: "Part")
        #expect(!model.isConfiguration(withName: "Part", compatibleWithStoreMetadata: metadata))
        model.entitiesByName["Person"]?.versionHashModifier = "2"
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("Merging takes an entity that two models share once")
    func merging() throws {
        let model = makeStaffModel()
        let other = NSManagedObjectModel()
        let room = NSEntityDescription()
        room.name = "Room"
        other.entities = [room]
        let merged = try #require(
            NSManagedObjectModel(byMerging: [model, makeStaffModel(), other]))
        #expect(
            merged.entitiesByName.keys.sorted() == ["Department", "Employee", "Person", "Room"])
        #expect(merged.entities.count == 4)
        #expect(room.managedObjectModel === other)
    }

    @Test("Merging for a store's metadata picks the versions the store was written with")
    func mergingForMetadata() throws {
        let (old, new) = (makeStaffModel(), makeStaffModel())
        new.entitiesByName["Person"]?.versionHashModifier = "2"
        let metadata = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let found = try #require(
            NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        #expect(found.entityVersionHashesByName == old.entityVersionHashesByName)
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
    }
}
