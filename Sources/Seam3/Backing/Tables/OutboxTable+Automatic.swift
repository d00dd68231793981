import CoreData

/// The properties of a waiting change that no user has changed; see ``OutboxEntry/automatic``.
extension OutboxTable {
    /// Notes that an object has given up the destination of a one-to-one relationship, because another object got
    /// it, if the reference led there before the waiting change.
    ///
    /// No user has changed this object. The former value tells the reference from one that the destination's deletion
    /// has removed, and that comes back with the destination; see ``OutboxEntry/hasGivenUp(_:)``.
    func noteGivenUp(_ name: String, of pk: Int64, leadingFrom recordName: String) throws {
        guard let known = try entry(of: pk), known.kind == .update,
            known.base[name] == .text(recordName)
        else { return }
        try setAutomatic(known.automatic.union([name]), of: pk)
        try setFormer(PropertyValues([name: known.base[name]]).adding(known.former), of: pk)
    }

    /// Notes that no user has changed some properties of a waiting update.
    func noteAutomatic(_ names: Set<String>, of pk: Int64) throws {
        guard let known = try entry(of: pk) else { return }
        try setAutomatic(known.automatic.union(names).intersection(known.base.keys), of: pk)
    }

    /// Notes that no user has set some properties of an object with a waiting change. A new object that was never
    /// sent does not count, because its user wants all of its values.
    func noteUnread(_ names: Set<String>, of pk: Int64) throws {
        guard !names.isEmpty, let known = try entry(of: pk),
            known.kind == .update || known.kind == .insert && known.wasSent
        else { return }
        try setAutomatic(known.automatic.union(names.subtracting(known.base.keys)), of: pk)
    }

    /// Replaces the names of the properties of a waiting change that no user has changed.
    func setAutomatic(_ names: Set<String>, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET automatic = ? WHERE pk = ?", [Self.list(names), .integer(pk)])
    }

    /// Those of a waiting change, after another change.
    ///
    /// A property that the store changes itself is one of them if nobody has changed it before. If it still had its
    /// base value, it was only to be sent again. A base value of NULL may only say that nothing was sent yet.
    ///
    /// - Parameters:
    ///   - known: Those of the waiting change.
    ///   - base: The base values of the waiting change.
    ///   - change: The properties of the other change, with their previous values.
    ///   - automatic: Those of the other change.
    static func automatic(
        _ known: Set<String>, _ base: PropertyValues, after change: PropertyValues,
        _ automatic: Set<String>
    ) -> Set<String> {
        let unedited = automatic.filter { name in
            base.values[name] == nil || base[name] == change[name] && !base[name].isNull
        }
        return known.subtracting(change.keys.subtracting(automatic)).union(unedited)
    }

    /// The stored form of a list of property names; NULL if it is empty.
    static func list(_ names: Set<String>) -> SQLiteValue {
        names.isEmpty ? .null : .text(names.sorted().joined(separator: ","))
    }

    /// The property names of a stored list.
    static func names(inList list: SQLiteValue) -> Set<String> {
        guard let names = list.text else { return [] }
        return Set(names.split(separator: ",").map(String.init))
    }
}
