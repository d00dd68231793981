import CoreData

/// The objects of an entity as other requests than those for objects return them.
struct Reading {
    let kind: Kind
    /// The attribute by which objects are selected and sorted.
    let attribute: Kind.Attribute
    /// The result of `count(for:)`.
    var count: Int
    /// All objects.
    var ids: Set<String>
    /// The attributes of all objects, from a request for dictionaries.
    var rows: [[String: Value]]
    /// The objects that are selected by a value of the object `sample`.
    var selected: Set<String>
    let sample: String?
    /// All objects, sorted by the attribute.
    var order: [String]

    private static let listed: [Kind] = [.item, .item, .node, .event]

    /// Reads an entity. The number determines which, and by which attribute.
    ///
    /// - Parameter ignored: Attributes that are not read.
    init(number: Int, ignoring ignored: Set<String> = [], in context: NSManagedObjectContext) throws
    {
        let kind = Self.listed[number % Self.listed.count]
        let known =
            NSEntityDescription.entity(forEntityName: kind.entityName, in: context)?
            .attributesByName ?? [:]
        let attributes = kind.attributes.filter {
            known[$0.name] != nil && !ignored.contains($0.name)
        }
        let attribute = attributes[number / Self.listed.count % attributes.count]
        self.kind = kind
        self.attribute = attribute
        count = try context.count(for: Self.request(kind))
        let found = try Self.objectIDs(Self.request(kind), in: context)
        ids = Set(found.map(Self.name))
        rows = try Self.rows(kind, attributes, in: context)
        let sampleID = found.isEmpty ? nil : found[number % found.count]
        sample = sampleID.map(Self.name)
        let request = Self.request(kind)
        request.predicate = try sampleID.map {
            Self.predicate(attribute, as: try context.existingObject(with: $0))
        }
        selected = Set(try Self.objectIDs(request, in: context).map(Self.name))
        let sorted = Self.request(kind)
        if Self.canBeSorted(attribute) {
            sorted.sortDescriptors = [NSSortDescriptor(key: attribute.name, ascending: true)]
        }
        order = try Self.objectIDs(sorted, in: context).map(Self.name)
    }

    private static func request(_ kind: Kind) -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: kind.entityName)
    }

    private static func name(_ id: NSManagedObjectID) -> String {
        id.uriRepresentation().absoluteString
    }

    private static func objectIDs(
        _ request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request).compactMap { $0 as? NSManagedObjectID }
    }

    private static func rows(
        _ kind: Kind, _ attributes: [Kind.Attribute], in context: NSManagedObjectContext
    ) throws -> [[String: Value]] {
        let request = request(kind)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = attributes.map(\.name)
        return try context.fetch(request).compactMap { $0 as? [String: Any] }.map { row in
            values(attributes) { Value(stored: row[$0.name], as: $0) }
        }
    }

    private static func values(
        _ attributes: [Kind.Attribute], _ value: (Kind.Attribute) -> Value
    ) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, value($0)) })
    }

    /// Selects the objects with the same value as an object. A transformed value can only be
    /// compared with nil, and of a composite one only the elements.
    private static func predicate(
        _ attribute: Kind.Attribute, as object: NSManagedObject
    ) -> NSPredicate {
        var path = attribute.name
        var value = object.value(forKey: attribute.name)
        if let element = attribute.elements.first {
            path += ".\(element.name)"
            value = (value as? [String: Any])?[element.name]
        }
        guard let value else { return NSPredicate(format: "%K == nil", path) }
        if attribute.type == .transformableAttributeType {
            return NSPredicate(format: "%K != nil", path)
        }
        return NSPredicate(format: "%K == %@", argumentArray: [path, value])
    }

    /// Numbers and dates. How texts are sorted is not judged here.
    private static func canBeSorted(_ attribute: Kind.Attribute) -> Bool {
        [
            .booleanAttributeType, .integer16AttributeType, .integer32AttributeType,
            .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
            .decimalAttributeType, .dateAttributeType,
        ].contains(attribute.type)
    }

    // MARK: - Comparison

    /// What contradicts the objects of a snapshot; nil if nothing does.
    func objection(to snapshot: Snapshot) -> String? {
        let objects = snapshot.objects.filter { _, object in
            object.kind == kind || object.kind.parent == kind
        }
        let what = "of \(objects.count) \(kind.entityName) objects"
        if count != objects.count { return "\(count) are counted \(what)" }
        if ids != Set(objects.keys) { return "\(ids.count) IDs are fetched \(what)" }
        if let first = rows.first, let row = firstDifference(objects, Set(first.keys)) {
            return row
        }
        if rows.count != objects.count { return "\(rows.count) dictionaries are fetched \(what)" }
        return selectionObjection(objects) ?? orderObjection(objects)
    }

    private func firstDifference(
        _ objects: [String: Snapshot.Object], _ names: Set<String>
    ) -> String? {
        let wanted = objects.values.map { object in
            object.values.filter { names.contains($0.key) }.swift
        }.sorted()
        let found = rows.map(\.swift).sorted()
        guard let (one, other) = zip(found, wanted).first(where: { $0 != $1 }) else { return nil }
        return "a dictionary is \(one) instead of \(other)"
    }

    private func selectionObjection(_ objects: [String: Snapshot.Object]) -> String? {
        guard let sample, let example = objects[sample] else { return nil }
        let value = compared(example)
        var wanted = Set(objects.filter { compared($0.value) == value }.keys)
        // A snapshot has no parts of milliseconds.
        if attribute.type == .dateAttributeType, value != .none {
            if selected.isSubset(of: wanted), selected.contains(sample) { return nil }
            wanted = [sample]
        }
        if selected == wanted { return nil }
        return
            "a predicate for \(attribute.name) as \(value) selects \(selected.sorted()) instead of"
            + " \(wanted.sorted())"
    }

    /// The value that the predicate compares.
    private func compared(_ object: Snapshot.Object) -> Value {
        let value = object.values[attribute.name] ?? .none
        if attribute.type == .transformableAttributeType { return .bool(value != .none) }
        guard let element = attribute.elements.first else { return value }
        guard case .composite(let elements) = value else { return .none }
        return elements[element.name] ?? .none
    }

    private func orderObjection(_ objects: [String: Snapshot.Object]) -> String? {
        if Set(order) != Set(objects.keys) || order.count != objects.count {
            return "\(order.count) objects are sorted of \(objects.count)"
        }
        guard Self.canBeSorted(attribute) else { return nil }
        let values = order.map { objects[$0]?.values[attribute.name] ?? .none }
        // nil is first.
        let numbers = values.map { $0.number ?? -.infinity }
        if zip(numbers, numbers.dropFirst()).allSatisfy(<=) { return nil }
        return "the objects are sorted by \(attribute.name) as \(values)"
    }
}

extension Value {
    /// The position of a number or a date among others.
    fileprivate var number: Double? {
        switch self {
        case .bool(let flag): return flag ? 1 : 0
        case .int(let number): return Double(number)
        case .double(let number), .date(let number): return number
        case .decimal(let text): return Double(text)
        default: return nil
        }
    }
}

extension Fleet {
    /// Judges that all kinds of requests return what the device's objects have.
    func judgeReading(of app: App) throws {
        // A request that makes SQLite read the contents of a file fails if these are longer than the
        // values to which the simulator limits SQLite.
        let hasLongFiles = try shown(by: app).objects.values.contains { object in
            guard case .data(let size)? = object.values["photo"] else { return false }
            return size > Int(CommitWatch.longestValue)
        }
        let reading = try App.perform(try app.makeContext()) {
            try Reading(
                number: readingNumber(of: app), ignoring: hasLongFiles ? ["photo"] : [], in: $0)
        }
        judge(reading, of: app)
    }

    /// Different for most states of most schedules, so that every attribute is read equally often.
    private func readingNumber(of app: App) -> Int {
        let state = history.edits.count * 31 + history.byIdent.count * 7 + app.number
        return Int((UInt32(truncatingIfNeeded: state) &* 2_654_435_761) >> 8)
    }

    func judge(_ reading: Reading, of app: App) {
        guard let objection = reading.objection(to: app.seen) else { return }
        complain("requests disagree", "\(app.name): \(objection)")
    }
}
