import Foundation

/// A save of an object's record that the server has carried out.
struct StampedSave {
    /// The device that has sent it.
    var device: String
    /// The number of the request. Requests with the same contents have the same one.
    var request: Int
    /// The record's name.
    var name: String
    var kind: Kind
    /// The identity of the object.
    var ident: String
    /// The versions of the model that the device may have had when it sent this.
    var versions: [ModelVersion] = [.second]
    /// The record that was there before; nil for an insertion.
    var former: WireRecord?
    var now: WireRecord
    /// The fields that the request has.
    var sent: Set<String>
    /// The properties that a user of the device may have edited since the device last learned that an edit of them had
    /// arrived; nil if that is not known.
    var mayBeEdited: Set<String>?
    /// The properties that a user of the device has edited since the device learned the former version.
    var isEdited: Set<String> = []
    /// Whether an insertion may continue one of which the wire knows nothing.
    var mayContinueUnseen = false
}

/// Judges what saves write in the field `SM_edits`. The decisions of devices are not judged here.
struct StampJudge {
    private(set) var violations: [Violation] = []
    /// The number of saves and stamps that have been judged.
    private(set) var saveCount = 0
    var stampCount = 0
    private var records: [String: Past] = [:]
    private var files: [String: UInt32] = [:]
    /// The requests with which random numbers have come.
    private var requestsOfTokens: [UInt64: Int] = [:]
    private var requestsOfChains: [UInt64: Int] = [:]
    private var requests: [[String: Data]: Int] = [:]
    private var time = 0
    private var lastZoneLoss = 0

    /// What a record has been.
    private struct Past {
        /// The stamps of all versions that a device has saved.
        var versions: [RecordStamps.Version: RecordStamps] = [:]
        /// What has been carried out.
        var contents: Set<Data> = []
        /// The chains of requests that were to insert it, and when they were sent.
        var attempts: [UInt64: (time: Int, stamps: RecordStamps)] = [:]
        /// Whether somebody who writes no stamps has written it.
        var hadStranger = false
    }

    // MARK: - Requests

    /// Notes a request before anybody knows whether it is carried out.
    ///
    /// - Parameters:
    ///   - edits: The contents of `SM_edits` by record name.
    ///   - insertions: The names of records that are to be inserted.
    /// - Returns: The request's number.
    mutating func noteRequest(_ edits: [String: Data], insertions: Set<String>) -> Int {
        time += 1
        for name in insertions {
            guard let stamps = edits[name].flatMap({ RecordStamps($0) }) else { continue }
            records[name, default: Past()].attempts[stamps.version.chain] = (time, stamps)
        }
        if let number = requests[edits] { return number }
        requests[edits] = requests.count
        return requests.count - 1
    }

    /// Notes that a zone is lost.
    mutating func noteZoneLoss() {
        time += 1
        lastZoneLoss = time
    }

    /// Notes that somebody who writes no stamps has written records.
    mutating func noteStranger(_ names: some Sequence<String>) {
        for name in names { records[name, default: Past()].hadStranger = true }
    }

    /// Whether a device has ever saved a record.
    func hasVersions(_ name: String) -> Bool { records[name]?.versions.isEmpty == false }

    /// Whether somebody who writes no stamps has ever written the record of a save.
    func hadStranger(_ save: StampedSave) -> Bool { past(save).hadStranger }

    // MARK: - A save

    /// Judges a save. Another one of the same request, which the network has repeated, is only noted.
    mutating func judge(_ save: StampedSave) {
        let isRepeated = save.now.edits.map { past(save).contents.contains($0) } ?? false
        defer { note(save) }
        if isRepeated { return }
        saveCount += 1
        guard let edits = save.now.edits else {
            return complain(
                "a save lacks edit stamps", save, "the record has no \(RecordStamps.field)")
        }
        // What the server had there is not what the device has written.
        guard edits != save.former?.edits else {
            return complain(
                "a save lacks edit stamps", save, "they are those of the former version")
        }
        guard let stamps = RecordStamps(edits) else {
            let text = edits.map { String(format: "%02x", $0) }.joined()
            return complain("unreadable edit stamps", save, text)
        }
        let base = judgeVersion(save, stamps)
        judgeSaves(save, stamps, base)
        judgeStamps(save, stamps, base)
    }

    /// Judges the record of a link.
    mutating func judgeLink(_ name: String, by device: String, edits: Data?) {
        guard edits != nil else { return }
        violations.append(
            Violation("edit stamps of a link", "\(device) writes them in the record \(name)"))
    }

    private func past(_ save: StampedSave) -> Past { records[save.name] ?? Past() }

    private mutating func note(_ save: StampedSave) {
        guard let edits = save.now.edits, let stamps = RecordStamps(edits) else { return }
        files[save.device] = files[save.device] ?? ownFile(save, stamps)
        for own in stamps.saves.values where own.version == stamps.version.number {
            requestsOfTokens[own.token] = requestsOfTokens[own.token] ?? save.request
        }
        let chain = stamps.version.chain
        requestsOfChains[chain] = requestsOfChains[chain] ?? save.request
        records[save.name, default: Past()].versions[stamps.version] = stamps
        records[save.name]?.contents.insert(edits)
    }

    private func ownFile(_ save: StampedSave, _ stamps: RecordStamps) -> UInt32? {
        stamps.saves.first { $0.value.version == stamps.version.number }?.key
    }

    mutating func complain(_ rule: String, _ save: StampedSave, _ text: String) {
        func version(_ record: WireRecord?) -> String {
            guard let record else { return "no record" }
            return record.stamps.map { "version \($0.version.number)" }
                ?? (record.edits == nil ? "a version without stamps" : "damaged stamps")
        }
        violations.append(
            Violation(
                rule,
                "\(save.device) saves \(save.ident) (\(save.kind.entityName) \(save.name)),"
                    + " \(version(save.now)) after \(version(save.former)): \(text)"))
    }

    // MARK: - The version

    /// Judges the chain, the version and the origin.
    ///
    /// - Returns: The stamps that the save continues; nil if there are none.
    private mutating func judgeVersion(
        _ save: StampedSave, _ stamps: RecordStamps
    ) -> RecordStamps? {
        let version = stamps.version
        if let former = save.former?.stamps {
            if version.chain != former.version.chain {
                complain("edit stamps of another chain", save, "an update begins a chain")
            }
            if version.number != former.version.number + 1 {
                complain("edit stamps of a wrong version", save, "it is not the next one")
            }
            if stamps.origin != former.origin {
                complain("edit stamps of a wrong origin", save, "an update changes the origin")
            }
            return former
        }
        if let request = requestsOfChains[version.chain], request != save.request {
            complain("edit stamps of another chain", save, "a new chain is that of another request")
        } else if past(save).versions.keys.contains(where: { $0.chain == version.chain }) {
            complain("edit stamps of another chain", save, "a new chain was there before")
        }
        guard save.former == nil, let origin = stamps.origin else {
            if version.number != 1 || stamps.origin != nil {
                complain(
                    "edit stamps of a wrong version", save, "a new chain does not begin with 1")
            }
            return nil
        }
        if version.number != origin.number + 1 {
            complain(
                "edit stamps of a wrong version", save,
                "it does not follow the origin's"
                    + " \(origin.number)")
        }
        return continued(save, origin)
    }

    /// The stamps of the version that an insertion continues.
    private mutating func continued(
        _ save: StampedSave, _ origin: RecordStamps.Version
    ) -> RecordStamps? {
        if let stamps = past(save).versions[origin] { return stamps }
        if origin.number == 1 {
            if let attempt = past(save).attempts[origin.chain], attempt.time < lastZoneLoss {
                return attempt.stamps
            }
            if save.mayContinueUnseen { return RecordStamps(version: origin) }
        }
        complain(
            "edit stamps of a wrong origin", save,
            "the record never had version \(origin.number) of that chain")
        return nil
    }

    // MARK: - The files' saves

    private mutating func judgeSaves(
        _ save: StampedSave, _ stamps: RecordStamps, _ base: RecordStamps?
    ) {
        func complain(_ text: String) { self.complain("wrong saves in edit stamps", save, text) }
        let number = stamps.version.number
        let new = stamps.saves.filter { $0.value.version == number }
        guard new.count == 1, let (file, own) = new.first else {
            return complain("\(new.count) saves have this version")
        }
        if let known = files[save.device], known != file {
            complain("it is the save of another file")
        }
        if let other = files.first(where: { $0.value == file && $0.key != save.device }) {
            complain("it is the save of \(other.key)")
        }
        if let request = requestsOfTokens[own.token], request != save.request {
            complain("its random number is that of another request")
        }
        guard base != nil || stamps.origin == nil else { return }
        var others = base?.saves ?? [:]
        others[file] = own
        var kept = stamps.saves
        while kept.count < others.count, others.count > RecordStamps.mostSaves,
            let oldest = others.min(by: { $0.value.version < $1.value.version }),
            kept[oldest.key] == nil
        {
            others[oldest.key] = nil
        }
        kept = kept.filter { others[$0.key] != $0.value }
        if !kept.isEmpty { complain("it changes or adds another file's save") }
        if stamps.saves.count < others.count { complain("it removes another file's save") }
    }
}
