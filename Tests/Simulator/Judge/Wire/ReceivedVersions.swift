import CloudKit
import CloudKitService

/// The versions of records that a device has received, and those that it meets after its file has lost the
/// records' system fields to damage.
struct ReceivedVersions {
    /// By the name of the record.
    private var tags: [String: Set<String>] = [:]
    /// The records whose system fields are damaged in the file, and that the device has not received since.
    private var damaged: Set<String> = []
    /// The damaged records of which the device has received another version than before.
    private(set) var others: Set<String> = []

    /// Notes records that the device has received.
    ///
    /// - Parameter own: Whether it has saved them itself.
    mutating func receive(_ records: [RecordDictionary], own: Bool) {
        for record in records {
            let name = record.recordName
            let wasDamaged = damaged.remove(name) != nil
            guard record.deleted != true, let tag = record.recordChangeTag else { continue }
            let isNew = tags[name, default: []].insert(tag).inserted
            if wasDamaged, isNew, !own { others.insert(name) }
        }
    }

    /// Notes that the system fields of all records in the device's file are damaged.
    mutating func damage() { damaged.formUnion(tags.keys) }

    mutating func forgetOthers() { others = [] }
}

extension Wire {
    func receive(_ records: [RecordDictionary], own: Bool, _ context: RequestContext) {
        lock.withLock {
            received[context.device, default: ReceivedVersions()].receive(records, own: own)
        }
    }

    func damageSystemFields(of device: String) {
        lock.withLock { received[device]?.damage() }
    }

    /// The objects of damaged records of which a device has received another version since the last call.
    func takeOtherVersions(of device: String) -> Set<String> {
        lock.withLock {
            let names = received[device]?.others ?? []
            received[device]?.forgetOthers()
            return Set(names.compactMap { idents[$0] })
        }
    }
}
