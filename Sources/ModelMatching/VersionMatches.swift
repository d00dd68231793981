/// The name of an entity or a property in one version of a model.
public struct VersionedName: Hashable, Sendable {
    /// Its name in this version.
    public let name: String
    /// Its canonical name, which is the same in all versions: the renaming identifier, or the name
    /// if there is none.
    public let identifier: String

    /// - Parameters:
    ///   - name: The name in the version.
    ///   - identifier: The renaming identifier; nil or empty if there is none.
    public init(_ name: String, identifier: String?) {
        self.name = name
        self.identifier = identifier.flatMap { $0.isEmpty ? nil : $0 } ?? name
    }

    /// Whether the model specifies another original name.
    public var isRenamed: Bool { identifier != name }
}

/// Matches the entities or properties of a newer version of a model to those of an older one, by
/// the rules of lightweight migration.
///
/// A renaming identifier is canonical: all versions of an entity or property have the same one, and
/// in the first version it is the name. An entity that was renamed twice can therefore be matched
/// from either earlier version. If nothing matches the identifier, it may be the name in the
/// previous version, whose own identifier was omitted. An entity or property without an identifier
/// keeps its name. One whose identifier matches nothing is new, even if it reuses a name.
public struct VersionMatches: Sendable {
    // What Apple's frameworks do here is an assumption: CD-61, CD-62 and CD-65.

    /// Two names of the newer version that match the same name of the older one.
    public struct Rivals: Equatable, Sendable {
        /// The name in the older version.
        public let old: String
        /// The name that is matched with it.
        public let successor: String
        /// The other name, which would have matched it, too.
        public let other: String
    }

    /// New name → old name.
    public private(set) var oldNames: [String: String] = [:]
    /// The names that stay unmatched because another name has the match, sorted by name.
    public private(set) var rivals: [Rivals] = []
    private var successors: [String: String] = [:]

    /// Matches the names of two versions.
    ///
    /// The result depends only on the names, not on the order in which they are given.
    ///
    /// - Parameters:
    ///   - new: The names in the newer version.
    ///   - old: The names in the older version.
    ///   - keepsNames: Whether a name is matched by name even if it has an identifier that matches
    ///     nothing. Use it for entities, because all their objects would be lost otherwise, and for
    ///     an older version of which only the names are known.
    public init(
        of new: [VersionedName], with old: [VersionedName], keepsNames: Bool = false
    ) {
        let new = new.sorted { $0.name < $1.name }
        let old = old.sorted { $0.name < $1.name }
        let renamed = new.filter(\.isRenamed)
        // A name with the same name and identifier in both versions is matched first.
        pair(renamed, with: old) { $0 == $1 }
        // An old name with the identifier as its own identifier takes precedence over one that
        // equals the identifier: the latter is something new that has reused the name.
        pair(renamed, with: old) { $1.isRenamed && $0.identifier == $1.identifier }
        pair(renamed, with: old) { $0.identifier == $1.identifier }
        pair(renamed, with: old) { $0.identifier == $1.name }
        pair(new, with: old) { $0 == $1 }
        // The entity or property has its first name again.
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

    /// Matches names that are not matched yet.
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
