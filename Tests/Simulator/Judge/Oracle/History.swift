/// The users' edits, what each user knew at the time, and what each place has shown since.
///
/// A place is a device, or the server, which has the number after those of the devices. A file that is copied, or
/// kept as a backup, is another place from then on (`History+Places`). The history does not depend on how devices
/// sync.
struct History {
    let serverPlace: Int
    var edits: [Edit] = []
    private(set) var byIdent: [String: [Int]] = [:]
    private(set) var kinds: [String: Kind] = [:]
    /// Objects that a device may have had to change automatically, such as the loser of a
    /// one-to-one relationship.
    private(set) var touched: Set<String> = []
    /// Objects whose changes the server was made to refuse.
    private(set) var refused: Set<String> = []
    var known: [[String: Set<Int>]]
    var perhapsKnown: [[String: Set<Int>]]
    var shown: [Snapshot]
    /// The state of each place, by identity.
    var copies: [[String: [Snapshot.Object]]]
    /// Objects of which a place has shown copies.
    private(set) var copied: Set<String> = []
    /// The references that each place lacks although it knows their edits.
    var late: [Set<Reference>]
    /// The references that the server has had, and those that some edit has not seen.
    var arrived: Set<Reference> = []
    var missed: Set<Reference> = []
    /// The edits at each place since it last synced.
    var unsent: [[Int]]
    var hasForgotten: [Bool]
    /// By place, the objects of which it has forgotten which version it knew, and has heard nothing since.
    var forgotten: [Set<String>]
    /// Whether each place is currently syncing.
    var isUnderWay: [Bool]
    var time = 0
    /// The attributes that each place's model stores in another field than the model before.
    var newFields: [[String: NewField]]
    /// What the server has had in new fields, by identity and attribute.
    var fieldStates: [String: [String: [FieldState]]] = [:]
    /// When the last successful pass of each place began.
    var lastPass: [Int?]
    /// The values that the server has in fields that devices with the new model do not write, by identity.
    var inFormerFields: [String: [String: Set<Value>]] = [:] { didSet { noteFormerFields() } }
    /// The references of the server's records that read as nil because their destinations were deleted, by identity.
    /// They show again if the destinations return.
    var keptReferences: [String: [String: Set<Value>]] = [:]
    /// When the server did not have objects that it had before, by identity.
    var absences: [String: [Absence]] = [:]
    /// The attributes that each place's model does not have, or does not sync.
    var unknownNames: [Set<String>]
    /// By place, since when its model syncs attributes that were local before.
    var syncedSince: [Int: [String: Int]] = [:]
    /// When the last pass of each place began, successful or not.
    var begins: [Int]
    /// When a look at the server last found a value in such a field, by identity and attribute.
    var formerFieldTimes: [String: [String: [Value: Int]]] = [:]
    /// Properties whose values devices have lost to damage. An edit of one stays an edit though no place
    /// shows its value.
    var lostNames: Set<String> = []
    /// The places that are no more, because another file has replaced theirs.
    var retired: Set<Int> = []
    /// By place, what waits in two files, neither of which has sent it when one was copied from the other.
    var neverSent: [Int: Set<String>] = [:]
    /// The edits without a response that their device may send again as others.
    var sentAgain: Set<Int> = []

    init(placeCount: Int) {
        serverPlace = placeCount - 1
        known = Array(repeating: [:], count: placeCount)
        perhapsKnown = known
        shown = Array(repeating: Snapshot(), count: placeCount)
        copies = Array(repeating: [:], count: placeCount)
        late = Array(repeating: [], count: placeCount)
        unsent = Array(repeating: [], count: placeCount)
        hasForgotten = Array(repeating: false, count: placeCount)
        forgotten = Array(repeating: [], count: placeCount)
        isUnderWay = hasForgotten
        newFields = Array(repeating: [:], count: placeCount)
        lastPass = Array(repeating: nil, count: placeCount)
        unknownNames = Array(repeating: [], count: placeCount)
        begins = Array(repeating: 0, count: placeCount)
    }

    func edits(of ident: String) -> [Edit] { (byIdent[ident] ?? []).map { edits[$0] } }
    func shows(_ place: Int) -> Snapshot { shown[place] }
    mutating func touch(_ ident: String) { touched.insert(ident) }
    mutating func refuse(_ ident: String) { refused.insert(ident) }

    mutating func add(
        _ place: Int, _ ident: String, _ action: Edit.Action, _ values: [String: Value] = [:],
        named: Set<String> = [], isVague: Bool = false, isOld: Bool = false
    ) {
        let id = edits.count
        var past = known[place][ident] ?? []
        if isOld { past = past.filter { edits[$0].place == place } }
        edits.append(
            Edit(
                id: id, place: place, ident: ident, action: action, values: values, named: named,
                past: past, possiblePast: past.union(perhapsKnown(ident, at: place)),
                unseen: unseen(at: place, past), outOfSight: outOfSight(ident, at: place, past),
                birth: time, isVague: isVague,
                isUnfounded: hasForgotten[place],
                seen: known[place].values.reduce(into: []) { $0.formUnion($1) },
                inNewFields: shownOfNewFields(ident, at: place), lastPass: lastPass[place]))
        noteMissed(by: edits[id])
        edits[id].isOfMigration = isOld && action == .update
        edits[id].hasForgottenVersion = action == .delete && forgotten[place].contains(ident)
        noteModel(of: id)
        unsent[place].append(id)
        time += 1
        // The pass may still send it.
        if isUnderWay[place] { edits[id].firstAttempt = time }
        byIdent[ident, default: []].append(id)
        known[place][ident, default: []].insert(id)
        perhapsKnown[place][ident, default: []].insert(id)
        if place == serverPlace { edits[id].arrival = time }
        if action == .delete { noteUnsentDeletion(ident, at: place) }
    }

    /// Records that the edits from one on have written default content.
    mutating func noteSeeds(since first: Int) {
        for id in edits.indices.dropFirst(first) { edits[id].isSeed = true }
    }

    // MARK: - Users' edits

    /// Records the effect of a user's save on a place.
    ///
    /// - Parameters:
    ///   - named: The properties that the user set in new objects.
    ///   - isOld: Whether the values are older than the place's knowledge of other edits.
    mutating func save(
        at place: Int, before: Snapshot, after: Snapshot, named: [String: Set<String>] = [:],
        isOld: Bool = false
    ) {
        let deleted = Set(before.byIdent.keys).subtracting(after.byIdent.keys)
        let gone = before.objects.filter { after.objects[$0.key] == nil }.map(\.value)
        let owned = Set(after.objects.values.compactMap { $0.values["node"] })
        for (id, object) in after.objects {
            kinds[object.ident] = object.kind
            // An object that violates a constraint may replace another object.
            let former = before.objects[id].flatMap { $0.ident == object.ident ? $0 : nil }
            let changed = object.values.filter { name, value in
                former?.values[name] != value || Self.isOtherCopy(name, of: id, before, after)
            }
            if former == nil {
                add(
                    place, object.ident, .insert, object.values,
                    named: named[object.ident] ?? Set(object.values.keys), isOld: isOld)
                edits[edits.count - 1].takenPlace = before.objects[id]?.ident
            } else if !changed.isEmpty {
                update(
                    at: place, object, former: former, changed, isOld: isOld, deleted: deleted,
                    gone: gone, owned: owned)
            }
        }
        for (id, object) in before.objects where after.objects[id]?.ident != object.ident {
            add(place, object.ident, .delete)
            edits[edits.count - 1].isOfCopy = after.byIdent[object.ident] != nil
            edits[edits.count - 1].shown = object.values
        }
        for link in after.links.subtracting(before.links) { add(place, link, .insert) }
        for link in before.links.subtracting(after.links) { add(place, link, .delete) }
        show(after, after.byIdent, at: place)
        bury()
    }

    private mutating func update(
        at place: Int, _ object: Snapshot.Object, former: Snapshot.Object?,
        _ changed: [String: Value], isOld: Bool, deleted: Set<String>, gone: [Snapshot.Object],
        owned: Set<Value>
    ) {
        var changed = changed
        for name in ["nodes", "picks", "picked"] {
            guard case .ordered(let now)? = changed[name],
                case .ordered(let then)? = former?.values[name]
            else { continue }
            if now == then.filter(now.contains) { changed[name] = nil }
        }
        // Sets represent links or the other ends of to-one relationships.
        changed = changed.filter { name, value in
            if case .objects = value { return false }
            return true
        }
        // Each order is in other records, so one may arrive without the other, and without the rest.
        let parts = Dictionary(grouping: changed) { Self.elsewhere.contains($0.key) ? $0.key : "" }
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) {
            add(
                at: place, object, former: former,
                Dictionary(uniqueKeysWithValues: part.map { ($0.key, $0.value) }), isOld: isOld,
                deleted: deleted, gone: gone, owned: owned)
        }
    }

    /// Records an edit of an object's own record, or of one of its orders.
    private mutating func add(
        at place: Int, _ object: Snapshot.Object, former: Snapshot.Object?,
        _ changed: [String: Value], isOld: Bool, deleted: Set<String>, gone: [Snapshot.Object],
        owned: Set<Value>
    ) {
        add(place, object.ident, .update, changed, named: Set(changed.keys), isOld: isOld)
        edits[edits.count - 1].replaced = former?.values.filter { changed[$0.key] != nil } ?? [:]
        edits[edits.count - 1].shown = object.values
        noteReleases(edits.count - 1, deleted: deleted, gone: gone, owned: owned)
    }

    /// Records that a device will send everything again, as if it were new.
    ///
    /// - Parameter forgetsVersions: Whether it has forgotten which versions of the server's records it knew.
    mutating func sendAgain(from place: Int, forgetsVersions: Bool = true) {
        hasForgotten[place] = true
        if forgetsVersions { forget(at: place) }
        for id in unsent[place] { edits[id].isUnfounded = true }
        for object in shown[place].objects.values {
            add(place, object.ident, .update, object.values, isVague: true)
        }
        for link in shown[place].links.union(waitingLinks(at: place)) {
            add(place, link, .insert, isVague: true)
        }
    }

    /// Marks what a device has tried to send since its last successful pass.
    mutating func mark(_ flag: WritableKeyPath<Edit, Bool>, sentBy place: Int) {
        for id in unsent[place] where edits[id].firstAttempt != nil {
            edits[id][keyPath: flag] = true
        }
    }

    /// Records that damage to a place's file has changed a property.
    mutating func lose(_ name: String, of ident: String, at place: Int) {
        for id in unsent[place] where edits[id].ident == ident && edits[id].arrival == nil {
            edits[id].lost.insert(name)
        }
    }

    // MARK: - Passes

    /// The edits that a device and the server knew at the beginning of the device's pass.
    struct Exchange {
        fileprivate let place: Int
        fileprivate let begin: Int
        fileprivate let device: [String: Set<Int>]
        fileprivate let server: [String: Set<Int>]
        fileprivate let arrived: Set<Reference>
    }

    /// Records that a device begins a sync.
    mutating func beginExchange(_ place: Int) -> Exchange {
        time += 1
        isUnderWay[place] = true
        begins[place] = time
        for id in unsent[place] where edits[id].firstAttempt == nil {
            edits[id].firstAttempt = time
            edits[id].settled.formIntersection(referencesOnServer(removedBy: id))
        }
        return Exchange(
            place: place, begin: time, device: known[place], server: known[serverPlace],
            arrived: arrived)
    }

    /// The edits that a pass was the first to send.
    func firstAttempts(of exchange: Exchange) -> [Edit] {
        edits.filter { $0.firstAttempt == exchange.begin && $0.place == exchange.place }
    }

    /// Whether a device knew all edits of an object when its pass began.
    func knewAll(of ident: String, _ exchange: Exchange) -> Bool {
        let ids = byIdent[ident] ?? []
        let known = exchange.device[ident] ?? []
        return !ids.isEmpty
            && ids.allSatisfy {
                known.contains($0) && !edits[$0].isVague && !edits[$0].isUnfounded
            }
    }

    /// Records that a device has synced, possibly only in part.
    mutating func attempted(_ place: Int) {
        isUnderWay[place] = false
        let former = perhapsKnown[place]
        perhapsKnown[serverPlace].merge(former) { $0.union($1) }
        perhapsKnown[place] = perhapsKnown[serverPlace]
        for (ident, ids) in perhapsKnown[place] {
            for id in ids.subtracting(former[ident] ?? []) {
                edits[id].meetings[place] = begins[place]
            }
        }
    }

    /// Records that a device has fetched everything that was there at the beginning, and sent
    /// everything that it had. From now on, it and the server also know each other's invisible
    /// edits, such as a value that was set and reverted in between.
    mutating func finish(_ exchange: Exchange) {
        hasForgotten[exchange.place] = false
        forgotten[exchange.place] = []
        neverSent[exchange.place] = nil
        for id in unsent[exchange.place] {
            edits[id].answer = time
            noteSentReleases(id)
        }
        unsent[exchange.place] = []
        lastPass[exchange.place] = exchange.begin
        for (ident, ids) in exchange.server { learn(exchange.place, ids, of: ident) }
        takeOver(at: exchange.place, exchange.server, since: exchange.begin)
        late[exchange.place].subtract(exchange.arrived)
        for (ident, ids) in exchange.device { note(serverKnows: ids, of: ident) }
    }

    private mutating func note(serverKnows ids: Set<Int>, of ident: String) {
        for id in ids.subtracting(known[serverPlace][ident] ?? []) where edits[id].arrival == nil {
            edits[id].arrival = time
        }
        known[serverPlace][ident, default: []].formUnion(ids)
    }

    // MARK: - States of places

    /// Records the differences from a place's previous state.
    ///
    /// - Parameter buries: Whether edits that no place shows any longer are gone. While it is not known what the
    ///   server has carried out, it may have them.
    mutating func look(at place: Int, _ snapshot: Snapshot, buries: Bool = true) {
        if place == serverPlace { noteNewFields(snapshot) }
        guard snapshot != shown[place] else { return }
        time += 1
        let (before, after) = (copies[place], snapshot.byIdent)
        for ident in Set(before.keys).union(after.keys) {
            learn(
                place, ident, from: before[ident] ?? [], to: after[ident] ?? [], in: snapshot)
        }
        for (ident, copies) in after where before[ident] != copies {
            if before[ident] == nil { giveBack(ident, at: place) }
            note(copies, of: ident, at: place)
        }
        let (links, formerLinks) = (snapshot.links, shown[place].links)
        for link in links.subtracting(formerLinks) { learn(place, link, .insert) }
        for link in formerLinks.subtracting(links) { learn(place, link, .delete) }
        show(snapshot, after, at: place)
        if buries { bury() }
    }

    private mutating func show(
        _ snapshot: Snapshot, _ objects: [String: [Snapshot.Object]], at place: Int
    ) {
        if place == serverPlace { noteAbsences(Set(copies[place].keys), Set(objects.keys)) }
        shown[place] = snapshot
        copies[place] = objects
        for (ident, objects) in objects where objects.count > 1 { copied.insert(ident) }
    }

    private mutating func learn(
        _ place: Int, _ ident: String, from before: [Snapshot.Object],
        to after: [Snapshot.Object], in all: Snapshot
    ) {
        if after.isEmpty { learn(place, ident, .delete) }
        if before.isEmpty, !after.isEmpty { learn(place, ident, .insert) }
        for object in after {
            for (name, value) in object.values
            where !before.contains(where: { $0.values[name] == value })
                && !(isNew(name, in: before) && value == object.kind.defaultValue(of: name))
                // A new field has no value before somebody writes it.
                && !(place == serverPlace && value == Value.none && hasMoved(name, ident))
            {
                learn(
                    place,
                    edits(of: ident).filter { edit in
                        guard let written = edit.values[name] else { return false }
                        return written == value || Self.follows(value, from: written)
                    }, from: name,
                    others: value == Value.none ? hidden(name, of: ident, at: place, all) : [])
            }
        }
    }

    private mutating func learn(_ place: Int, _ ident: String, _ action: Edit.Action) {
        learn(place, edits(of: ident).filter { $0.action == action && !$0.isVague })
    }

    /// Only edits that all explanations of the state have in common are certainly known. What other
    /// records tell of an object says nothing of its own record, which the server may have refused, and
    /// its own record says nothing of them.
    ///
    /// - Parameter others: Edits that did not write the value, and explain it nevertheless.
    private mutating func learn(
        _ place: Int, _ candidates: [Edit], from name: String? = nil, others: [Edit] = []
    ) {
        let candidates = candidates.filter { mayBe($0, at: place) }
        guard let first = candidates.first else { return }
        var common = first.past.union([first.id])
        for candidate in candidates.dropFirst() + others {
            common.formIntersection(candidate.past.union([candidate.id]))
        }
        if let name { common = common.filter { edits[$0].arrives(with: name) } }
        if place == serverPlace { return note(serverKnows: common, of: first.ident) }
        learn(place, common, of: first.ident)
    }

    /// Records that a place knows edits, and perhaps not the references that the server lacks.
    private mutating func learn(_ place: Int, _ ids: Set<Int>, of ident: String) {
        let new = ids.subtracting(known[place][ident] ?? [])
        if new.isEmpty { return }
        forgotten[place].remove(ident)
        known[place][ident, default: []].formUnion(new)
        late[place].formUnion(
            late[serverPlace].filter { new.contains($0.edit) && edits[$0.edit].place != place })
    }
}
