import CoreData
import SeededRandom

/// A random fetch request, with the data that a reference implementation needs.
struct RandomRequest {
    let entity: NSEntityDescription
    let request: NSFetchRequest<any NSFetchRequestResult>
    /// The predicate's format, for messages.
    let format: String

    init(_ world: RandomWorld, index: Int) {
        // Each query has its own seed, so that it can be run without the previous ones.
        var random = SeededGenerator(seed: world.seed &* 1_000_003 &+ UInt64(index))
        entity = world.model.entities.randomElement(using: &random) ?? world.model.entities[0]
        request = NSFetchRequest(entityName: entity.name ?? "")
        request.includesSubentities = Int.random(in: 0..<4, using: &random) > 0
        var predicates = RandomPredicate(world, entity, random)
        var format = ""
        if predicates.roll(10) > 0 {
            let fragment = predicates.predicate(depth: predicates.roll(3))
            request.predicate = fragment.predicate
            format = "\(fragment.format) \(fragment.arguments)"
        }
        if predicates.roll(12) == 0 {
            // A block, which can only be evaluated in memory.
            let block = NSPredicate { object, _ in
                ((object as? NSManagedObject)?.value(forKey: "number") as? Int ?? 0) % 2 == 0
            }
            request.predicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: [request.predicate, block].compactMap { $0 })
            format += " AND BLOCK"
        }
        self.format = format
        switch predicates.roll(8) {
        case 0: request.resultType = .countResultType
        case 1: request.resultType = .managedObjectIDResultType
        case 2, 3: request.resultType = .dictionaryResultType
        default: request.resultType = .managedObjectResultType
        }
        if request.resultType == .dictionaryResultType {
            setDictionary(&predicates)
        } else {
            request.sortDescriptors = Self.sort(&predicates)
            request.includesPropertyValues = predicates.roll(4) > 0
            request.returnsObjectsAsFaults = predicates.roll(4) > 0
            request.fetchBatchSize = predicates.roll(6) == 0 ? 3 : 0
            setWindow(&predicates)
        }
    }

    private func setWindow(_ random: inout RandomPredicate) {
        guard random.roll(2) == 0 else { return }
        request.fetchLimit = random.pick([0, 1, 3, 10, 100])
        request.fetchOffset = random.pick([0, 0, 1, 5, 50])
    }

    private static func sort(_ random: inout RandomPredicate) -> [NSSortDescriptor] {
        (0..<random.roll(4)).compactMap { _ in
            if random.roll(12) == 0, let (path, _) = random.toMany() {
                return NSSortDescriptor(key: path + ".@count", ascending: random.roll(2) == 0)
            }
            guard let (path, type) = random.path(RandomPredicate.isComparable) else { return nil }
            return descriptor(path, type, &random)
        }
    }

    private static func descriptor(
        _ path: String, _ type: NSAttributeType, _ random: inout RandomPredicate
    ) -> NSSortDescriptor {
        let ascending = random.roll(2) == 0
        guard RandomPredicate.isText(type) else {
            if type != .dateAttributeType, random.roll(12) == 0 {
                return NSSortDescriptor(key: path, ascending: ascending) { left, right in
                    // Sorted by whether there is a value, for which there is no selector.
                    switch (left is NSNull, right is NSNull) {
                    case (true, false): return .orderedDescending
                    case (false, true): return .orderedAscending
                    default: return .orderedSame
                    }
                }
            }
            return NSSortDescriptor(key: path, ascending: ascending)
        }
        let selector = random.pick([
            "compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:",
            "localizedCaseInsensitiveCompare:", "localizedStandardCompare:",
        ])
        return NSSortDescriptor(
            key: path, ascending: ascending, selector: NSSelectorFromString(selector))
    }

    // MARK: - Dictionaries

    private func setDictionary(_ random: inout RandomPredicate) {
        switch random.roll(3) {
        case 0: setGroups(&random)
        case 1: setColumns(&random)
        default:
            setColumns(&random)
            request.returnsDistinctResults = true
        }
    }

    private func computed(
        _ name: String, _ fragment: Fragment, _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = fragment.expression
        description.expressionResultType = type
        return description
    }

    private func setColumns(_ random: inout RandomPredicate) {
        var columns: [Any] = []
        var keys: [(String, NSAttributeType)] = []
        for number in 0..<(1 + random.roll(3)) {
            switch random.roll(6) {
            case 0:
                guard let number = random.numberExpression(depth: 2) else { continue }
                columns.append(computed("number\(columns.count)", number))
            case 1:
                guard let text = random.textExpression(depth: 2) else { continue }
                columns.append(computed("text\(columns.count)", text))
            case 2:
                let toOnes = entity.sortedRelationships(toMany: false)
                guard !toOnes.isEmpty else { continue }
                columns.append(random.pick(toOnes))
            case 3:
                guard let attribute = entity.sortedAttributes.randomElement(using: &random.random)
                else { continue }
                columns.append(attribute)
            default:
                guard let (path, type) = random.path(), number < 5 else { continue }
                columns.append(path)
                if RandomPredicate.isComparable(type) { keys.append((path, type)) }
            }
        }
        guard !columns.isEmpty else { return }
        request.propertiesToFetch = columns
        guard random.roll(2) == 0, keys.count == columns.count else { return }
        // Rows that no column distinguishes are the same, so the window is unambiguous.
        request.sortDescriptors = keys.map {
            NSSortDescriptor(key: $0.0, ascending: random.roll(2) == 0)
        }
        setWindow(&random)
    }

    private func setGroups(_ random: inout RandomPredicate) {
        var groups: [String] = []
        for _ in 0..<random.roll(3) {
            guard let (path, _) = random.path({ $0 != .transformableAttributeType }) else {
                continue
            }
            if !groups.contains(path) { groups.append(path) }
        }
        var columns: [Any] = groups
        var names: [String] = []
        for _ in 0..<(1 + random.roll(3)) {
            let isStatistic = random.roll(2) == 0
            guard
                let (path, _) = random.path({
                    isStatistic
                        ? $0 == .integer16AttributeType || $0 == .integer32AttributeType
                            || $0 == .doubleAttributeType
                        : RandomPredicate.isComparable($0)
                })
            else { continue }
            let function = random.pick(
                isStatistic ? ["sum:", "average:", "count:"] : ["min:", "max:", "count:"])
            let name = "value\(names.count)"
            names.append(name)
            columns.append(computed(name, Fragment(format: "\(function)(\(random.written(path)))")))
        }
        guard !names.isEmpty else { return setColumns(&random) }
        request.propertiesToFetch = columns
        request.propertiesToGroupBy = groups.isEmpty ? nil : groups
        guard !groups.isEmpty, random.roll(2) == 0 else { return }
        request.havingPredicate = NSPredicate(
            format: "\(random.pick(names)) \(random.pick([">", "!=", "<=", "=="])) %@",
            argumentArray: [random.constant(.integer16AttributeType)])
    }
}
