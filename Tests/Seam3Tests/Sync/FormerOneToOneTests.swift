import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Devices with the former model remove all links of a one-to-one relationship but one.
@Suite("A one-to-one relationship that becomes one-to-many") struct FormerOneToOneTests {
    let cloud = LocalCloud.inMemory()

    /// The end that decides the one-to-one relationship is the one that sorts first by entity and property.
    enum DecidingEnd: String, CaseIterable {
        case cover, document

        var cover: String { self == .cover ? "ACover" : "ZCover" }
    }

    private static func model(
        _ end: DecidingEnd, isOneToMany: Bool, field: String? = nil
    ) -> NSManagedObjectModel {
        let cover = NSEntityDescription(
            end.cover, [NSAttributeDescription("name", .stringAttributeType)])
        let document = NSEntityDescription(
            "Document", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (cover, "document", 1),
            (document, isOneToMany ? "covers" : "cover", isOneToMany ? 0 : 1))
        if isOneToMany {
            document.relationshipsByName["covers"]?.renamingIdentifier = "cover"
        }
        if let field {
            cover.relationshipsByName["document"]?.userInfo = [
                SMStore.SMFieldNameUserInfoKey: field
            ]
        }
        return NSManagedObjectModel(cover, document)
    }

    private func devices(_ end: DecidingEnd, _ names: String...) async throws -> [Device] {
        let devices = try names.map {
            try Device($0, on: cloud, model: Self.model(end, isOneToMany: false))
        }
        try devices[0].addAll(end.cover, "c1", "c2", "c3")
        try devices[0].addAll("Document", "d1", "d2")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        return devices
    }

    private func settle(_ devices: [Device]) async throws {
        for _ in 1...3 { for device in devices { try await device.store.sync() } }
    }

    private func tie(
        _ cover: String, to document: String, _ end: DecidingEnd, on device: Device
    ) throws {
        try device.edit { context in
            try Device.object(end.cover, cover, in: context).setValue(
                try Device.object("Document", document, in: context), forKey: "document")
        }
    }

    /// The covers as "name document", sorted.
    private func ties(_ end: DecidingEnd, on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try Device.all(end.cover, in: context).map { cover in
                let document = cover.value(forKey: "document") as? NSManagedObject
                return
                    "\(cover.value(forKey: "name") ?? "") \(document?.value(forKey: "name") ?? "-")"
            }.sorted()
        }
    }

    @Test("is refused once records may be on the server", arguments: DecidingEnd.allCases)
    func refused(end: DecidingEnd) async throws {
        let device = try await devices(end, "a")[0]
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: Self.model(end, isOneToMany: true))
        }
        #expect(error?.code == .inferredMappingModel)
        let reason = error?.userInfo["reason"] as? String ?? ""
        for word in ["\(end.cover).document", "one-to-one", "SMFieldName"] {
            #expect(reason.contains(word), "\(reason)")
        }
        try device.open(model: Self.model(end, isOneToMany: false))
        #expect(try ties(end, on: device) == ["c1 d1", "c2 -", "c3 -"])
    }

    @Test("is refused for a mapping model, too", arguments: DecidingEnd.allCases)
    func refusedForMapping(end: DecidingEnd) async throws {
        let device = try await devices(end, "a")[0]
        let (old, new) = (
            Self.model(end, isOneToMany: false), Self.model(end, isOneToMany: true)
        )
        let mappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new)
        let error = #expect(throws: CocoaError.self) {
            try device.migrate(from: old, to: new, mappings)
        }
        #expect("\(error?.userInfo["reason"] ?? "")".contains("one-to-one"))
    }

    @Test("is possible before anything was sent", arguments: DecidingEnd.allCases)
    func beforeFirstSync(end: DecidingEnd) async throws {
        let device = try Device("a", on: cloud, model: Self.model(end, isOneToMany: false))
        try device.addAll(end.cover, "c1", "c2")
        try device.addAll("Document", "d1")
        try tie("c1", to: "d1", end, on: device)
        try device.relaunch(model: Self.model(end, isOneToMany: true))
        try tie("c2", to: "d1", end, on: device)
        try await device.store.sync()
        #expect(try ties(end, on: device) == ["c1 d1", "c2 d1"])
    }

    @Test(
        "in another field keeps its links although other devices have the former model",
        arguments: DecidingEnd.allCases)
    func anotherField(end: DecidingEnd) async throws {
        let all = try await devices(end, "new", "old")
        let (new, old) = (all[0], all[1])
        let model = Self.model(end, isOneToMany: true, field: "document_2")
        try new.relaunch(model: model)
        #expect(try ties(end, on: new) == ["c1 d1", "c2 -", "c3 -"])
        try await new.store.sync()
        try tie("c2", to: "d1", end, on: new)
        try await settle([new, old])
        #expect(try ties(end, on: new) == ["c1 d1", "c2 d1", "c3 -"])
        // What devices with the former model edit arrives.
        try tie("c3", to: "d2", end, on: old)
        try await settle([old, new])
        #expect(try ties(end, on: new) == ["c1 d1", "c2 d1", "c3 d2"])
        try old.relaunch(model: model)
        try await settle([old, new])
        let fresh = try Device("fresh", on: cloud, model: model)
        try await fresh.store.sync()
        for device in [new, old, fresh] {
            #expect(try ties(end, on: device) == ["c1 d1", "c2 d1", "c3 d2"], "\(device.name)")
            #expect(try device.store.checkInvariants() == [])
        }
    }
}
