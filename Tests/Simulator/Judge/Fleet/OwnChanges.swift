/// What a context has changed, compared with what it had shown its user before.
///
/// Saving writes this and nothing else. What others have changed in the meantime stays, because the
/// context's user has not seen it.
struct OwnChanges {
    /// A property's former value in the context, and the user's.
    struct Pair: Equatable {
        let former: Value
        let now: Value
    }

    /// The values of attributes and references, by identity.
    private(set) var values: [String: [String: Pair]] = [:]
    /// The links that the context has added (true) or removed (false).
    private(set) var links: [String: Bool] = [:]
    /// The ordered relationships that the context has changed, as "identity.name".
    private(set) var orders: Set<String> = []
    /// The objects that the context has deleted, also by a cascade. If the merge policy keeps the
    /// store's version of one, that need not have the context's values.
    private(set) var deleted: Set<String> = []
    /// The links and references, named like links, that the context has removed with them. Even if
    /// the merge policy keeps the object, they may be removed, because the objects at their other
    /// ends have changed.
    private(set) var released: Set<String> = []

    // MARK: - Changes

    /// Records a value. Setting the former one cancels the change.
    mutating func set(_ name: String, of ident: String, from former: Value, to value: Value) {
        let former = values[ident]?[name]?.former ?? former
        values[ident, default: [:]][name] =
            former == value ? nil : Pair(former: former, now: value)
        guard name == "list" else { return }
        for list in former.names + value.names { orders.insert("\(list).nodes") }
    }

    /// Records an object that was added to a relationship, or removed. Doing the opposite of an
    /// earlier change cancels that.
    mutating func link(_ pair: String, isThere: Bool) {
        links[pair] = links[pair] == !isThere ? nil : isThere
    }

    /// Records that an ordered relationship has changed.
    mutating func order(_ name: String, of ident: String) { orders.insert("\(ident).\(name)") }

    /// Records the deletion of an object.
    ///
    /// - Parameter values: What the context shows of the object's relationships. Links that it does
    ///   not show are not removed with the object.
    mutating func delete(_ ident: String, _ values: [String: Value]) {
        deleted.insert(ident)
        for (name, value) in values {
            for other in value.names {
                if let pair = Snapshot.pair(ident, name, other) {
                    released.insert(pair)
                    continue
                }
                released.insert(Snapshot.link(name, ident, other))
                // The other end, if that is a reference, too.
                switch (name, ident.first) {
                case ("cover", _): released.insert(Snapshot.link("node", other, ident))
                case ("node", _): released.insert(Snapshot.link("cover", other, ident))
                case ("partner", _): released.insert(Snapshot.link(name, other, ident))
                case ("nodes", "l"): released.insert(Snapshot.link("list", other, ident))
                default: break
                }
            }
        }
    }

    // MARK: - Results

    /// What a save has changed although its context had not.
    ///
    /// - Parameters:
    ///   - writesAll: Whether the merge policy writes whole objects, and not only what the context
    ///     has changed. Links are not part of an object.
    ///   - renamed: Objects that had other identities when the context changed them.
    ///   - waiting: The references, named like links, that show if their destinations return.
    ///   - taken: By the store's IDs, the attributes of objects of the context that have become others,
    ///     because those have the same unique values.
    ///   - keepsOwn: Whether the context's side wins what both have changed. This includes references
    ///     that are nil in the context because it has deleted their destinations.
    func excess(
        before: Snapshot, after: Snapshot, writesAll: Bool, renamed: Set<String> = [],
        waiting: Set<String> = [], taken: [String: [String: Value]] = [:], keepsOwn: Bool = false
    ) -> String? {
        let scope = Scope(before, after, except: renamed)
        let (old, new) = (before.links, after.links)
        for link in old.symmetricDifference(new).sorted()
        where links[link] == nil && scope.hasEnds(of: link) {
            if released.contains(link), !new.contains(link) { continue }
            return
                "\(link) is \(new.contains(link) ? "there" : "gone"), which the context did not change"
        }
        if writesAll { return nil }
        for (id, object) in after.objects.sorted(by: { $0.value.ident < $1.value.ident }) {
            guard let former = before.objects[id], scope.has(object.ident) else { continue }
            for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
                guard let then = former.values[name], then != value,
                    !isExplained(name, of: object.ident, then, value, scope)
                else { continue }
                if case .object(let other) = value,
                    let destination = after.destination(name, of: id),
                    before.objects[destination] == nil,
                    waiting.contains(Snapshot.link(name, object.ident, other))
                {
                    continue
                }
                if taken[id]?[name] == value { continue }
                if keepsOwn, value == .none, hasReleased(name, of: object.ident, from: then) {
                    continue
                }
                return "\(object.ident).\(name) was \(then) and is \(value),"
                    + " which the context did not change"
            }
        }
        return nil
    }

    /// Whether a reference of an object that the context has kept is nil there because of a deletion, or so
    /// is the other end of a one-to-one relationship, at the object to which the reference led.
    private func hasReleased(_ name: String, of ident: String, from former: Value) -> Bool {
        func isReleased(_ name: String, of ident: String) -> Bool {
            !deleted.contains(ident) && released.contains { $0.hasPrefix("\(name)|\(ident)|") }
        }
        if isReleased(name, of: ident) { return true }
        let inverse = ["node": "cover", "partner": "partner"][name]
        return inverse.map { end in former.names.contains { isReleased(end, of: $0) } } ?? false
    }

    /// Whether a property's new value follows from the context's changes.
    private func isExplained(
        _ name: String, of ident: String, _ then: Value, _ now: Value, _ scope: Scope
    ) -> Bool {
        if values[ident]?[name] != nil { return true }
        if case .object(let other) = then, now == .none,
            released.contains(Snapshot.link(name, ident, other))
        {
            return true
        }
        switch (name, then, now) {
        // The other ends decide.
        case ("cover", _, _), ("picked", _, _), (_, .objects, _): return true
        // An object may have given way to another one.
        case ("node", _, _), ("partner", _, _):
            let ends = name == "node" ? ["node", "cover"] : [name]
            return scope.hasOtherObjects
                || values.values.contains { pairs in ends.contains { pairs[$0] != nil } }
                || then.names.contains { !scope.has($0) }
        case (_, .ordered(let then), .ordered(let now)):
            func count(_ ident: String, _ order: [String]) -> Int {
                order.filter { $0 == ident }.count
            }
            // Of an object that the context has deleted, or made again, a copy may have stayed.
            let copied = deleted.filter { count($0, now) < count($0, then) }
                .union(scope.made.filter { count($0, now) > count($0, then) })
            return orders.contains("\(ident).\(name)")
                || then.filter { now.contains($0) && !copied.contains($0) }
                    == now.filter { then.contains($0) && !copied.contains($0) }
        default: return then.names.contains { !scope.has($0) }
        }
    }

    /// What a save has not written of its context's changes of links.
    ///
    /// - Parameter isExcused: Whether a link need not be written.
    func missingLink(
        before: Snapshot, after: Snapshot, isExcused: (String) -> Bool
    ) -> String? {
        let scope = Scope(before, after)
        let now = after.links
        for (link, isThere) in links.sorted(by: { $0.key < $1.key })
        where scope.hasEnds(of: link) && !isExcused(link) && now.contains(link) != isThere {
            return "\(link) is \(isThere ? "gone" : "there"), and the context has"
                + " \(isThere ? "added" : "removed") it"
        }
        return nil
    }

    /// What is wrong after a save if the store's side wins each property that has changed in both, and
    /// each object that would violate a uniqueness constraint.
    func wrongSide(before: Snapshot, after: Snapshot) -> String? {
        let scope = Scope(before, after)
        let outdone = outdone(before: before, after: after)
        for (ident, pairs) in values.sorted(by: { $0.key < $1.key })
        where scope.has(ident) && !deleted.contains(ident) {
            guard let old = before.byIdent[ident]?.first, let new = after.byIdent[ident]?.first
            else { continue }
            for (name, pair) in pairs.sorted(by: { $0.key < $1.key })
            where !["node", "cover", "partner"].contains(name) {
                guard let stored = old.values[name], let value = new.values[name],
                    (pair.now.names + stored.names).allSatisfy(scope.has)
                else { continue }
                let wanted = stored == pair.former ? pair.now : stored
                if value == wanted { continue }
                if value == stored, violatesConstraint(old, before, after) { continue }
                let isUnique = old.kind.uniqueAttributes.contains(name)
                if value == stored, isUnique, outdone.contains(ident) { continue }
                return "\(ident).\(name) was \(pair.former) in the context and \(stored) in the"
                    + " file, was set to \(pair.now), and is \(value)"
            }
            if let key = Self.key(of: new), key != Self.key(of: old),
                let twin = after.objects.values.first(where: {
                    $0.kind == new.kind && $0.ident != ident && Self.key(of: $0) == key
                })
            {
                return "\(ident) was given the unique values \(key), which \(twin.ident) has, too"
            }
        }
        return nil
    }

    // MARK: - Unique values

    /// The values of an object that have to be unique together; nil if it has none. A nil is like no other.
    private static func key(of object: Snapshot.Object) -> [Value]? {
        let key = object.kind.uniqueAttributes.map { object.values[$0] ?? .none }
        return key.isEmpty || key.contains(.none) ? nil : key
    }

    /// The unique values that an object of the file would have if the save wrote all that the context has
    /// changed and others have not.
    private func wantedKey(of object: Snapshot.Object) -> [Value]? {
        var object = object
        for (name, pair) in values[object.ident] ?? [:] where object.values[name] == pair.former {
            object.values[name] = pair.now
        }
        return Self.key(of: object)
    }

    /// Whether an object would get unique values that another object has and would keep. An object that the
    /// context has deleted keeps them if the merge policy keeps the object.
    private func violatesConstraint(
        _ object: Snapshot.Object, _ before: Snapshot, _ after: Snapshot
    ) -> Bool {
        guard let wanted = wantedKey(of: object), wanted != Self.key(of: object) else {
            return false
        }
        return before.objects.contains { id, other in
            guard other.kind == object.kind, other.ident != object.ident,
                Self.key(of: other) == wanted
            else { return false }
            return deleted.contains(other.ident)
                ? after.objects[id].flatMap(Self.key) == wanted : wantedKey(of: other) == wanted
        }
    }

    /// The objects whose new unique values another object has after the save. Only one of several objects of a
    /// context can get the same values, and nobody can get what one of the others has to keep instead, or what
    /// an object has that the merge policy keeps although the context has deleted it.
    private func outdone(before: Snapshot, after: Snapshot) -> Set<String> {
        let objects = before.objects
        var outdone: Set<String> = []
        while true {
            let more = objects.values.filter { object in
                guard !outdone.contains(object.ident), !deleted.contains(object.ident),
                    let wanted = wantedKey(of: object), wanted != Self.key(of: object)
                else { return false }
                return objects.contains { id, other in
                    other.kind == object.kind && other.ident != object.ident
                        && after.objects[id].flatMap(Self.key) == wanted
                        && (deleted.contains(other.ident) || wantedKey(of: other) == wanted
                            || outdone.contains(other.ident))
                }
            }
            if more.isEmpty { return outdone }
            outdone.formUnion(more.map(\.ident))
        }
    }

    /// The objects about which a save can be judged: those that were there before and after it, once.
    private struct Scope {
        private let idents: Set<String>
        /// Whether the save has created or deleted objects, or made deleted ones again.
        let hasOtherObjects: Bool
        /// The identities of the objects that the save has created, or made again.
        let made: Set<String>

        init(_ before: Snapshot, _ after: Snapshot, except renamed: Set<String> = []) {
            hasOtherObjects = Set(before.objects.keys) != Set(after.objects.keys)
            made = Set(after.objects.filter { before.objects[$0.key] == nil }.map(\.value.ident))
            let (old, new) = (Self.ids(before), Self.ids(after))
            // Objects that were given the same key have become one.
            let merged = Set(
                Set(before.objects.keys).symmetricDifference(after.objects.keys)
                    .compactMap { (before.objects[$0] ?? after.objects[$0])?.kind }
                    .filter { $0.naturalKey != nil || $0 == .folder })
            idents = Set(
                new.filter { ident, id in
                    old[ident] == id && !renamed.contains(ident)
                        && !merged.contains(after.objects[id]?.kind ?? .node)
                }.keys)
        }

        /// The IDs of the objects of which there is one.
        private static func ids(_ snapshot: Snapshot) -> [String: String] {
            Dictionary(grouping: snapshot.objects.keys) { snapshot.objects[$0]?.ident ?? "" }
                .compactMapValues { $0.count == 1 ? $0[0] : nil }
        }

        func has(_ ident: String) -> Bool { idents.contains(ident) }

        func hasEnds(of link: String) -> Bool {
            link.split(separator: "|").dropFirst().allSatisfy { has(String($0)) }
        }
    }
}
