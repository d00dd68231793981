import CoreData
import LocalCloud
import Seam3
import Testing

/// The objects of a store by their names, each with the values of its properties: names of objects, in order if the
/// relationship is ordered, or the text of the attribute.
struct RelationTable: Equatable, CustomStringConvertible {
    private(set) var objects: [String: [String: [String]]] = [:]

    init() {}

    /// What a context shows.
    init(_ kind: RelationKind, in context: NSManagedObjectContext) throws {
        for entity in kind.entities {
            for object in try Device.all(entity, in: context) {
                var values: [String: [String]] = [:]
                for key in kind.keys(of: entity) {
                    values[key] = Self.texts(object.value(forKey: key))
                }
                var name = Self.name(object)
                while objects[name] != nil { name += " again" }
                objects[name] = values
            }
        }
    }

    /// What a new context reads, for which nothing was read before.
    init(_ kind: RelationKind, inFileOf device: Device) throws {
        let context = device.container.newBackgroundContext()
        self = try context.performAndWait { try RelationTable(kind, in: context) }
    }

    private static func name(_ object: Any) -> String {
        (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
    }

    private static func texts(_ value: Any?) -> [String] {
        switch value {
        case let set as NSOrderedSet: set.array.map(name)
        case let set as Set<NSManagedObject>: set.map(name).sorted()
        case let object as NSManagedObject: [name(object)]
        case let text as String: [text]
        default: []
        }
    }

    /// The members of a relationship, or the value of an attribute.
    subscript(name: String, key: String) -> [String] { objects[name]?[key] ?? [] }

    /// The same without a property that stays on the device.
    func without(_ key: String) -> RelationTable {
        var table = self
        table.objects = objects.mapValues { $0.filter { $0.key != key } }
        return table
    }

    var description: String {
        objects.sorted { $0.key < $1.key }.map { name, values in
            let parts = values.sorted { $0.key < $1.key }.map { key, value in
                "\(key)=[\(value.joined(separator: ", "))]"
            }
            return "\(name): \(parts.joined(separator: " "))"
        }.joined(separator: "; ")
    }

    /// The ends of pairs at which the other end is missing.
    func oneSidedEnds(_ kind: RelationKind) -> [String] {
        guard let inverse = kind.inverseKey, kind.attribute == nil else { return [] }
        var ends: [String] = []
        for (name, values) in objects {
            for (key, back) in [("children", inverse), ("parents", "children")] {
                for other in values[key] ?? [] where !self[other, back].contains(name) {
                    ends.append("\(name).\(key) has \(other)")
                }
            }
        }
        return ends.sorted()
    }
}

/// The devices of a test and what they share.
struct RelationFleet {
    let kind: RelationKind
    let cloud: LocalCloud
    let model: NSManagedObjectModel
    let policy: SMSyncConflictResolutionPolicy
    let devices: [Device]

    /// - Parameters:
    ///   - kind: The relationship or attribute.
    ///   - count: The number of devices.
    ///   - policy: Their policy.
    ///   - pageSize: The maximum number of records in a page of changes.
    init(
        _ kind: RelationKind, count: Int,
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins,
        pageSize: Int = 200
    ) throws {
        var options = LocalCloudOptions()
        options.pageSize = pageSize
        let cloud = LocalCloud.inMemory(options: options)
        let model = kind.model()
        self.kind = kind
        self.cloud = cloud
        self.model = model
        self.policy = policy
        devices = try (0..<count).map {
            try Device("device \($0)", on: cloud, policy: policy, model: model)
        }
    }

    /// Syncs the devices one after the other, so that what waits reaches all of them.
    func settle(rounds: Int = 2) async throws {
        for _ in 1...rounds {
            for device in devices { try await device.store.sync() }
        }
    }

    /// Expects the same objects on all devices, in their files and on a new device, that nothing waits, that the files are
    /// sound, and that complete syncs change nothing.
    ///
    /// - Returns: What the devices show.
    @discardableResult
    func expectOneTruth(
        _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RelationTable {
        let truth = try shared(devices[0])
        for isComplete in [false, true] {
            for device in devices where isComplete {
                let summary = try await device.store.sync(complete: true)
                #expect(
                    summary.savedRecordCount + summary.deletedRecordCount == 0,
                    "\(device.name) sends something after a complete sync: \(summary). \(comment)",
                    sourceLocation: sourceLocation)
            }
            for device in devices {
                let table = try shared(device)
                #expect(
                    table == truth, "\(device.name), complete \(isComplete). \(comment)",
                    sourceLocation: sourceLocation)
                try expectSound(device, comment, sourceLocation)
            }
        }
        let fresh = try Device("fresh", on: cloud, policy: policy, model: model)
        try await fresh.store.sync()
        let table = try shared(fresh)
        #expect(table == truth, "a new device. \(comment)", sourceLocation: sourceLocation)
        try expectSound(fresh, comment, sourceLocation)
        #expect(truth.oneSidedEnds(kind) == [], "\(comment)", sourceLocation: sourceLocation)
        return truth
    }

    /// What a device shows of what it shares with others.
    private func shared(_ device: Device) throws -> RelationTable {
        let table = try RelationTable(kind, inFileOf: device)
        return kind.hasInverse ? table : table.without("children")
    }

    private func expectSound(
        _ device: Device, _ comment: String, _ sourceLocation: SourceLocation
    ) throws {
        #expect(
            try device.store.checkInvariants() == [], "\(device.name). \(comment)",
            sourceLocation: sourceLocation)
        #expect(
            try device.store.syncStatus().pendingChangeCount == 0, "\(device.name). \(comment)",
            sourceLocation: sourceLocation)
    }
}
