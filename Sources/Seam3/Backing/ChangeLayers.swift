import CoreData

/// What has changed in an object since the server's version that it is based on, in layers.
///
/// A layer has the values that its properties had before its first change. The first change after a request begins a new
/// layer. So the layers tell what each request sent, and which changes were made later.
struct ChangeLayers: Equatable {
    /// Why a property has changed.
    enum Cause: String {
        /// A user has changed it.
        case edit = "e"
        /// Its destination was deleted.
        case deletion = "d"
        /// The object itself was deleted.
        case removal = "r"
        /// It follows from another object, a policy, a migration, or the form of the server's record, or the app has
        /// written it as default content.
        case other = "o"
    }

    /// The changes between two requests.
    struct Layer: Equatable {
        /// The local revision of the first change.
        fileprivate(set) var revision: Int64
        /// The changed properties, with the values from before.
        fileprivate(set) var previous = PropertyValues()
        fileprivate(set) var causes: [String: Cause] = [:]
        /// Whether the object was deleted. Then it has all properties that did not change before.
        fileprivate(set) var isRemoval = false
    }

    /// The oldest first.
    private(set) var layers: [Layer] = []
    /// The properties that no user can have changed here, because the model did not have them, or could not hold the
    /// values of records, when the change was made.
    private(set) var unread: Set<String> = []
    /// Whether the object is new, and default content: of its values, only those that have changed since are a user's.
    var isSeed = false

    init() {}

    /// The changes of a new object.
    ///
    /// - Parameter cause: Why it is made: by a user, or as default content.
    static func insertion(_ cause: Cause) -> ChangeLayers {
        var changes = ChangeLayers()
        changes.isSeed = cause != .edit
        return changes
    }

    /// One layer.
    init(_ previous: PropertyValues, _ cause: Cause, revision: Int64) {
        note(previous, cause, revision: revision, sent: nil)
    }

    // MARK: - Reading

    var isEmpty: Bool { layers.isEmpty && unread.isEmpty && !isSeed }

    /// The names of the changed properties.
    var names: Set<String> { layers.reduce(into: []) { $0.formUnion($1.previous.keys) } }

    /// The names of the properties that have changed after a revision.
    func names(after revision: Int64) -> Set<String> {
        layers.filter { $0.revision > revision }.reduce(into: []) { $0.formUnion($1.previous.keys) }
    }

    /// The changed properties with the values that both sides had agreed on.
    var base: PropertyValues {
        layers.reduce(into: PropertyValues()) { $0.add($1.previous) }
    }

    /// The values of a deleted object, also after it was made again; empty if it was not deleted.
    var replaced: PropertyValues {
        layers.contains(where: \.isRemoval) ? base : PropertyValues()
    }

    /// The properties that users have changed after a revision.
    ///
    /// - Parameter isThere: Whether the object is there, so that its deletion stands for what differs in the one that its
    ///   user has made again.
    func edits(after revision: Int64 = .min, isThere: Bool = false) -> Set<String> {
        layers.filter { $0.revision > revision }.reduce(into: []) { names, layer in
            names.formUnion(
                layer.causes.filter { $0.value == .edit || isThere && $0.value == .removal }.keys)
        }
    }

    /// Why a property has changed last.
    func cause(of name: String) -> Cause? { layers.last { $0.causes[name] != nil }?.causes[name] }

    /// The values that an object had at a revision.
    ///
    /// - Parameter current: Those that it has now.
    func version(at revision: Int64, current: PropertyValues) -> PropertyValues {
        layers.filter { $0.revision > revision }.reduce(into: PropertyValues()) {
            $0.add($1.previous)
        }.adding(current)
    }

    /// The value that a property had before a change that was not sent; nil if there is none.
    ///
    /// - Parameters:
    ///   - cause: The cause of the change; nil for any.
    ///   - sent: The last revision that was sent; nil if none was.
    func unsent(_ name: String, because cause: Cause? = nil, sent: Int64?) -> SQLiteValue? {
        guard let last = layers.last, last.revision > sent ?? .min,
            cause == nil || last.causes[name] == cause
        else { return nil }
        return last.previous.values[name]
    }

    /// Calls a closure with the values of each layer.
    func forEachValues(_ body: (PropertyValues) throws -> Void) rethrows {
        for layer in layers { try body(layer.previous) }
    }

    // MARK: - Local changes

    /// Notes a change.
    ///
    /// - Parameters:
    ///   - previous: The changed properties, with the values from before.
    ///   - cause: Why they have changed.
    ///   - revision: The revision of the change.
    ///   - sent: The last revision that was sent; nil if none was.
    mutating func note(
        _ previous: PropertyValues, _ cause: Cause, revision: Int64, sent: Int64?
    ) {
        if layers.last.map({ sent ?? .min >= $0.revision }) ?? true {
            layers.append(Layer(revision: revision))
        }
        let last = layers.count - 1
        for name in previous.keys {
            let known = layers[last].previous.values[name]
            let isBack = known == previous[name] && !layers[last].previous.isUnknown(name)
            // What had its value again counts as unchanged until then.
            if known == nil || isBack || cause == .edit || cause == .deletion
                || cause == .other && layers[last].causes[name] != .edit
            {
                layers[last].causes[name] = cause
            }
        }
        layers[last].previous.add(previous)
        if cause == .removal {
            layers[last].isRemoval = true
            isSeed = false
        } else {
            unread.subtract(previous.keys)
        }
    }

    /// Notes a change that another file, or a statement, has described.
    mutating func note(_ change: ChangeLayers, sent: Int64?) {
        for layer in change.layers {
            for (cause, names) in Dictionary(grouping: layer.causes.keys, by: { layer.causes[$0] })
            {
                note(
                    layer.previous.limited(to: Set(names)), cause ?? .other,
                    revision: layer.revision, sent: sent)
            }
        }
    }

    /// Forgets changes of the last layer that are undone.
    ///
    /// - Parameter isBack: Whether a property has a value again.
    mutating func takeBack(
        _ names: some Sequence<String>, _ isBack: (_ name: String, _ value: SQLiteValue) -> Bool
    ) {
        guard let last = layers.indices.last else { return }
        for name in names {
            guard let value = layers[last].previous.values[name],
                !layers[last].previous.isUnknown(name), isBack(name, value)
            else { continue }
            layers[last].previous.values[name] = nil
            layers[last].causes[name] = nil
        }
        if layers[last].previous.values.isEmpty { layers.removeLast() }
    }

    /// Notes that an object which was deleted is made again, before the deletion was sent.
    ///
    /// - Parameters:
    ///   - cause: Why it is made again.
    ///   - isBack: Whether a property has a value again.
    mutating func undoRemoval(
        _ cause: Cause, _ isBack: (_ name: String, _ value: SQLiteValue) -> Bool
    ) {
        takeBack(layers.last?.previous.keys ?? [], isBack)
        for place in layers.indices {
            layers[place].causes = layers[place].causes.mapValues { $0 == .removal ? cause : $0 }
        }
    }

    /// Notes why a property has changed last, if it had a certain value before.
    mutating func setCause(_ cause: Cause, of name: String, from value: SQLiteValue) {
        guard let last = layers.indices.last, layers[last].previous.values[name] == value else {
            return
        }
        layers[last].causes[name] = cause
    }

    /// Notes properties that no user can have changed here.
    mutating func noteUnread(_ names: Set<String>) {
        unread.formUnion(names.subtracting(self.names))
    }

    // MARK: - What the server said

    /// Notes that the server has a revision. What was changed later remains, as one layer: nothing of it can have been sent
    /// to the new version.
    ///
    /// - Parameters:
    ///   - revision: The revision; its changes are on the server.
    ///   - held: The properties that were held back, with the values that the server has.
    ///   - isNew: Whether the object was new, so that its user wants all of its values.
    ///   - isBack: Whether a property has a value again.
    mutating func acknowledge(
        _ revision: Int64, held: PropertyValues, isNew: Bool,
        _ isBack: (_ name: String, _ value: SQLiteValue) -> Bool
    ) {
        let edits = isNew && !isSeed ? held.keys : edits()
        isSeed = false
        var left = Layer(revision: layers.last?.revision ?? revision)
        for name in held.keys { left.causes[name] = edits.contains(name) ? .edit : .other }
        left.previous = held
        for layer in layers where layer.revision > revision {
            left.previous.add(layer.previous)
            left.causes.merge(layer.causes) { $0 == .edit ? $0 : $1 }
        }
        layers = [left]
        takeBack(left.previous.keys, isBack)
    }

    /// These layers, with the values of the server's version where those of the base are unknown.
    func knowing(_ server: PropertyValues) -> ChangeLayers {
        mapValues { $0.knowing(server) }
    }

    /// Replaces values from before the changes, for example by those of the server's version.
    mutating func setBase(_ values: PropertyValues) {
        for (name, value) in values.values {
            guard let first = layers.firstIndex(where: { $0.previous.values[name] != nil }) else {
                continue
            }
            layers[first].previous[name] = value
        }
    }

    // MARK: - Migrations

    /// These layers, with the values of each changed by a closure that may also rename or omit them.
    ///
    /// - Parameter names: The new names of renamed properties.
    func mapValues(
        renaming names: [String: String]? = nil, _ transform: (PropertyValues) -> PropertyValues
    ) -> ChangeLayers {
        var changed = self
        for place in layers.indices {
            changed.layers[place].previous = transform(layers[place].previous)
            if let names {
                changed.layers[place].causes = [:]
                for (name, cause) in layers[place].causes {
                    if let new = names[name] { changed.layers[place].causes[new] = cause }
                }
            }
        }
        if let names { changed.unread = Set(unread.compactMap { names[$0] }) }
        changed.layers.removeAll(where: \.previous.values.isEmpty)
        return changed
    }

    /// These layers, with other revisions.
    func shifted(by count: Int64) -> ChangeLayers {
        var shifted = self
        for place in layers.indices { shifted.layers[place].revision += count }
        return shifted
    }

    // MARK: - Coding

    private static let removal = "x"
    private static let unread = "u"
    private static let seedKey = "s"

    /// What a column of the file has; NULL if there is nothing.
    ///
    /// A layer begins with an empty name, or "x" if the object was deleted, and its first revision. Then each of its
    /// properties has the cause and the name in one, and the value from before. At the end is "u" with the name of each
    /// unread property, and "s" if the object is default content.
    var stored: SQLiteValue {
        if isEmpty { return .null }
        var encoder = PropertyValues.Encoder()
        for layer in layers {
            encoder.append(layer.isRemoval ? Self.removal : "", .integer(layer.revision))
            for (name, value) in layer.previous.values.sorted(by: { $0.key < $1.key }) {
                let key = (layer.causes[name] ?? .other).rawValue + name
                if layer.previous.isUnknown(name) {
                    encoder.appendUnknown(key)
                } else {
                    encoder.append(key, value)
                }
            }
        }
        for name in unread.sorted() { encoder.append(Self.unread + name, .null) }
        if isSeed { encoder.append(Self.seedKey, .null) }
        return .blob(encoder.data)
    }

    /// Reads what ``stored`` wrote.
    ///
    /// - Returns: nil if it is damaged.
    init?(stored value: SQLiteValue) {
        if value.isNull { return }
        guard let data = value.blob else { return nil }
        var reader = PropertyValues.Reader(bytes: [UInt8](data))
        while let (key, value, isUnknown) = reader.nextEntry() {
            if key.isEmpty || key == Self.removal {
                guard let revision = value.integer, OutboxTable.revisions.contains(revision) else {
                    return nil
                }
                layers.append(Layer(revision: revision, isRemoval: !key.isEmpty))
                continue
            }
            if key == Self.seedKey {
                isSeed = true
                continue
            }
            let name = String(key.dropFirst())
            if key.hasPrefix(Self.unread) {
                unread.insert(name)
                continue
            }
            guard let cause = Cause(rawValue: String(key.prefix(1))), !layers.isEmpty else {
                return nil
            }
            let last = layers.count - 1
            layers[last].causes[name] = cause
            if isUnknown {
                layers[last].previous.addUnknown([name])
            } else {
                layers[last].previous[name] = value
            }
        }
        let isWhole = reader.isAtEnd && !isEmpty
        guard isWhole, !layers.contains(where: \.previous.values.isEmpty) else { return nil }
    }
}
