/// What the users of the devices have edited, and what of it their devices have learned to have arrived.
///
/// Nothing is inferred from the values of records: it is what saves have changed on the devices, and when.
struct UserEdits {
    /// A change of a property in one save.
    private struct Change {
        let time: Int
        let former: Value
        let value: Value
        /// Whether a user has certainly made it, and not a delete rule or the other end of a relationship.
        let isCertain: Bool
    }

    /// The version of a record that a device has certainly learned, and nothing later.
    private struct Learned {
        let tag: String
        let time: Int
    }

    /// A version of a record on the server.
    private struct Version {
        let tag: String
        let time: Int
        let device: String
    }

    /// The versions of the model that each device has had.
    private(set) var models: [String: [ModelVersion]] = [:]
    /// By device, identity and property.
    private var changes: [String: [String: [String: [Change]]]] = [:]
    /// The properties that may be edited, and when they were changed last.
    private var possible: [String: [String: [String: Int]]] = [:]
    /// By device and record name.
    private var learned: [String: [String: Learned]] = [:]
    /// By record name.
    private var versions: [String: Version] = [:]
    private var idents: [String: String] = [:]
    /// When the pass of each device began.
    private var begins: [String: Int] = [:]
    /// The saves of each device since then.
    private var saves: [String: [(ident: String, sent: Set<String>)]] = [:]
    private(set) var time = 0

    mutating func tick() -> Int {
        time += 1
        return time
    }

    // MARK: - Devices

    mutating func setModel(_ version: ModelVersion, of device: String) {
        if models[device]?.last != version { models[device, default: []].append(version) }
        learned[device] = nil
    }

    /// Notes that a device may have forgotten versions of records.
    mutating func forget(_ device: String) { learned[device] = nil }

    mutating func beginPass(of device: String) {
        begins[device] = tick()
        saves[device] = []
    }

    /// Notes that a pass has ended.
    ///
    /// - Parameter isWhole: Whether it has certainly received everything that was there when it began, and the responses
    ///   to all that it has sent, and no user has edited anything on the device in the meantime.
    mutating func endPass(of device: String, isWhole: Bool) {
        let now = tick()
        let saves = saves.removeValue(forKey: device) ?? []
        guard let begin = begins.removeValue(forKey: device), isWhole else { return }
        for (ident, sent) in saves {
            for property in sent where (possible[device]?[ident]?[property] ?? .max) < begin {
                possible[device]?[ident]?[property] = nil
            }
        }
        for (name, version) in versions where version.time < begin || version.device == device {
            if learned[device]?[name]?.tag == version.tag { continue }
            learned[device, default: [:]][name] = Learned(tag: version.tag, time: now)
        }
    }

    // MARK: - Users

    /// Notes a save of a device's context.
    ///
    /// - Parameter isHeld: Whether its changes are older, so that it is not known why a reference has changed.
    mutating func note(
        _ device: String, before: Snapshot, after: Snapshot, isHeld: Bool
    ) {
        let now = tick()
        let idents = Set(after.objects.values.map(\.ident))
        let owned = Set(after.objects.values.compactMap { $0.values["node"] })
        for (id, object) in after.objects {
            let former = before.objects[id].flatMap { $0.ident == object.ident ? $0 : nil }
            guard let former else {
                for name in Array(object.values.keys) + ["ident"] {
                    possible[device, default: [:]][object.ident, default: [:]][name] = now
                    changes[device]?[object.ident]?[name] = nil
                }
                continue
            }
            for (name, value) in object.values {
                let then = former.values[name] ?? Value.none
                let isReference = object.kind.toOne[name] != nil
                guard value != then, isReference || object.kind.toMany[name] == nil else {
                    continue
                }
                let isRelease = value == .none && then.names.contains { !idents.contains($0) }
                if isRelease, isReference, !isHeld { continue }
                possible[device, default: [:]][object.ident, default: [:]][name] = now
                let isCertain =
                    !isReference
                    || !isHeld && value != .none && !(name == "node" && owned.contains(then))
                changes[device, default: [:]][object.ident, default: [:]][name, default: []].append(
                    Change(time: now, former: then, value: value, isCertain: isCertain))
            }
        }
    }

    // MARK: - Saves

    /// Notes a version of a record that a device has saved.
    ///
    /// - Parameter sent: The attributes of which the device knows that they have arrived once it has the response.
    mutating func note(
        _ tag: String?, of name: String, _ ident: String, by device: String, sent: Set<String>
    ) {
        let now = tick()
        saves[device]?.append((ident, sent))
        guard let tag else { return }
        versions[name] = Version(tag: tag, time: now, device: device)
        idents[name] = ident
    }

    /// The properties that a user of a device may have edited since the device last certainly learned that an edit of
    /// them had arrived.
    func mayBeEdited(_ ident: String, on device: String) -> Set<String> {
        Set(possible[device]?[ident]?.keys.map { $0 } ?? [])
    }

    /// Whether a user of a device may have created an object since the device last certainly learned that it had arrived.
    func mayBeNew(_ ident: String, on device: String) -> Bool {
        possible[device]?[ident]?["ident"] != nil
    }

    /// The properties that a user of a device has edited since the device certainly learned a version of the record,
    /// without reverting them.
    ///
    /// - Parameter time: Before the request was sent.
    func isEdited(
        _ ident: String, on device: String, since tag: String?, of name: String, before time: Int
    ) -> Set<String> {
        guard let learned = learned[device]?[name], learned.tag == tag,
            !idents.contains(where: { $0.key != name && $0.value == ident })
        else { return [] }
        let names = changes[device]?[ident] ?? [:]
        return Set(
            names.filter { _, all in
                let since = all.filter { $0.time > learned.time && $0.time <= time }
                guard let first = since.first, let last = since.last, last.isCertain else {
                    return false
                }
                return first.former != last.value && all.last?.time == last.time
            }.keys)
    }
}
