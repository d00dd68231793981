/// What an entity or a property goes by in one version of a model.
public struct VersionedName: Hashable, Sendable {
    /// Its name in this version.
    public let name: String
    /// Its canonical name, which is the same in all versions: the renaming identifier, or else the
    /// name.
    public let identifier: String

    /// - Parameters:
    ///   - name: The name in the version.
    ///   - identifier: The renaming identifier; nil or an empty one is none.
    public init(_ name: String, identifier: String?) {
        self.name = name
        self.identifier = identifier.flatMap { $0.isEmpty ? nil : $0 } ?? name
    }

    /// Whether the model says that the thing had another name.
    public var isRenamed: Bool { identifier != name }
}

/// Which entity or property of an older version of a model each one of a newer version continues, by
/// the rules of lightweight migration.
///
/// A renaming identifier is canonical: two versions of a thing have the same one, and the first
/// version has it as its name. So what was renamed twice is found from each version before. Where
/// nothing has the identifier, it may be the name of the version before, as of one whose own identifier
/// was left out; and what has no identifier keeps its name. What has one that leads nowhere is
/// something new, even if it has taken a name over.
public struct VersionMatches: Sendable {
    /// Two names of the newer version that lead to the same one of the older.
    public struct Rivals: Equatable, Sendable {
        /// The name in the older version.
        public let old: String
        /// The name that continues it.
        public let successor: String
        /// The name that would have continued it, too.
        public let other: String
    }

    /// New name → old name.
    public private(set) var oldNames: [String: String] = [:]
    /// The names that continue nothing because another one continues what they lead to, in the order of
    /// their names.
    public private(set) var rivals: [Rivals] = []
    private var successors: [String: String] = [:]

    /// Pairs the names of two versions.
    ///
    /// The result depends on nothing but the names, in whatever order they are given.
    ///
    /// - Parameters:
    ///   - new: The names in the newer version.
    ///   - old: The names in the older version.
    ///   - keepsNames: Whether even what has an identifier that leads nowhere continues what has its
    ///     name. This is for entities, whose objects would all be gone, and for an older version of
    ///     which nothing but the names is known.
    public init(
        of new: [VersionedName], with old: [VersionedName], keepsNames: Bool = false
    ) {
        let new = new.sorted { $0.name < $1.name }
        let old = old.sorted { $0.name < $1.name }
        let renamed = new.filter(\.isRenamed)
        // What has kept both names is beyond doubt.
        pair(renamed, with: old) { $0 == $1 }
        // An old name that has the identifier for its own counts more than one that has it as its name:
        // that one is something new which has taken the name over.
        pair(renamed, with: old) { $1.isRenamed && $0.identifier == $1.identifier }
        pair(renamed, with: old) { $0.identifier == $1.identifier }
        pair(renamed, with: old) { $0.identifier == $1.name }
        pair(new, with: old) { $0 == $1 }
        // Its first name is back.
        pair(new, with: old) { $0.identifier == $1.identifier }
        pair(new, with: old) { $0.name == $1.name && (keepsNames || !$0.isRenamed) }
        for name in new where oldNames[name.name] == nil {
            let rival = old.first {
                $0.identifier == name.identifier && (name.isRenamed || !$0.isRenamed)
            }
            guard let rival, let successor = successors[rival.name] else { continue }
            rivals.append(Rivals(old: rival.name, successor: successor, other: name.name))
        }
    }

    /// Pairs what is not paired yet.
    private mutating func pair(
        _ new: [VersionedName], with old: [VersionedName],
        if isSame: (VersionedName, VersionedName) -> Bool
    ) {
        for name in new where oldNames[name.name] == nil {
            guard let match = old.first(where: { successors[$0.name] == nil && isSame(name, $0) })
            else { continue }
            oldNames[name.name] = match.name
            successors[match.name] = name.name
        }
    }
}
