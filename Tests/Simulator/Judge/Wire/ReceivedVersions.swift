import CloudKit
import CloudKitService

/// The versions of records that a device has received, and those that it meets after its file has lost the
/// records' system fields to damage.
struct ReceivedVersions {
    /// By the name of the record. What a pass that fails has received is not among them, because the device may not
    /// have stored it.
    private var tags: [String: Set<String>] = [:]
    /// What the pass that is under way has received.
    private var new: [String: Set<String>] = [:]
    /// The names of all records that the device has received.
    private var names: Set<String> = []
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
            let tag = record.deleted == true ? nil : record.recordChangeTag
            names.insert(name)
            if own {
                damaged.remove(name)
                if let tag { tags[name, default: []].insert(tag) }
                continue
            }
            new[name, default: []].formUnion([tag].compactMap { $0 })
            if let tag, damaged.contains(name), tags[name]?.contains(tag) != true {
                others.insert(name)
            }
        }
    }

    /// Notes that a pass has ended.
    mutating func endPass(isWhole: Bool) {
        if isWhole {
            tags.merge(new) { $0.union($1) }
            damaged.subtract(new.keys)
        }
        new = [:]
    }

    /// Notes that the system fields of all records in the device's file are damaged.
    mutating func damage() { damaged = names }

    mutating func forgetOthers() { others = [] }
}

/// An answer with records.
struct ReceivedAnswer {
    let records: [RecordDictionary]
    /// Whether the device has saved them itself.
    let isOwn: Bool
}

extension Wire {
    func receive(_ records: [RecordDictionary], own: Bool, _ context: RequestContext) {
        lock.withLock {
            unconfirmed[context.device, default: []].append(
                ReceivedAnswer(records: records, isOwn: own))
        }
    }

    /// Notes that a device has learned who is signed in, and takes over what it has received.
    func confirm(_ device: String) {
        lock.withLock {
            for answer in unconfirmed.removeValue(forKey: device) ?? [] {
                received[device, default: ReceivedVersions()].receive(
                    answer.records, own: answer.isOwn)
            }
        }
    }

    /// Notes that a device throws away what it has received, because it could not learn who is signed in.
    func dropUnconfirmed(of device: String) {
        let dropped = lock.withLock { unconfirmed.removeValue(forKey: device) ?? [] }
        if dropped.contains(where: \.isOwn) { noteLostAnswer(of: device) }
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

    func endPass(of device: String, isWhole: Bool) {
        lock.withLock { received[device]?.endPass(isWhole: isWhole) }
    }
}
