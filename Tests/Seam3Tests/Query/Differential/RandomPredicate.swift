import CoreData
import SeededRandom

/// A part of a predicate's format with its arguments.
struct Fragment {
    var format: String
    var arguments: [Any] = []

    static func + (left: Fragment, right: Fragment) -> Fragment {
        Fragment(
            format: left.format + right.format, arguments: left.arguments + right.arguments)
    }

    static func + (left: Fragment, right: String) -> Fragment { left + Fragment(format: right) }
    static func + (left: String, right: Fragment) -> Fragment { Fragment(format: left) + right }

    var predicate: NSPredicate { NSPredicate(format: format, argumentArray: arguments) }
    var expression: NSExpression { NSExpression(format: format, argumentArray: arguments) }
}

/// Generates random predicates and expressions for the objects of one entity. They cover the whole
/// language, including parts that can only be evaluated in memory.
///
/// It leaves out the intended difference: a to-many path without a modifier, which SQL treats as
/// ANY.
struct RandomPredicate {
    let world: RandomWorld
    let entity: NSEntityDescription
    /// The prefix of key paths: empty, or a SUBQUERY's variable with a dot.
    var prefix = ""
    var depth = 0
    var random: SeededGenerator

    init(_ world: RandomWorld, _ entity: NSEntityDescription, _ random: SeededGenerator) {
        self.world = world
        self.entity = entity
        self.random = random
    }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func pick<T>(_ values: [T]) -> T { values[roll(values.count)] }

    // MARK: - Predicates

    mutating func predicate(depth: Int) -> Fragment {
        guard depth > 0 else { return leaf() }
        switch roll(6) {
        case 0: return "NOT (" + predicate(depth: depth - 1) + ")"
        case 1, 2:
            let word = pick(["AND", "OR", "&&", "||"])
            return "(" + predicate(depth: depth - 1) + " \(word) " + predicate(depth: depth - 1)
                + ")"
        default: return leaf()
        }
    }

    private mutating func leaf() -> Fragment {
        for _ in 0..<10 {
            let leaf: Fragment?
            switch roll(16) {
            case 0: leaf = relationshipLeaf()
            case 1, 2: leaf = toManyLeaf()
            case 3: leaf = aggregateLeaf()
            case 4: leaf = subqueryLeaf()
            case 5: leaf = listLeaf()
            case 6, 7: leaf = arithmeticLeaf()
            case 8, 9, 10: leaf = textLeaf()
            case 11: leaf = memoryLeaf()
            default: leaf = valueLeaf()
            }
            if let leaf { return leaf }
        }
        return Fragment(format: pick(["TRUEPREDICATE", "FALSEPREDICATE"]))
    }

    // MARK: - Paths

    /// The path of an attribute, possibly through to-one relationships.
    mutating func path(
        from entity: NSEntityDescription? = nil, _ accept: (NSAttributeType) -> Bool = { _ in true }
    ) -> (path: String, type: NSAttributeType)? {
        var entity = entity ?? self.entity
        var keys: [String] = []
        while keys.count < 3, roll(3) == 0 {
            let toOnes = entity.sortedRelationships(toMany: false)
            guard !toOnes.isEmpty else { break }
            let toOne = pick(toOnes)
            keys.append(toOne.name)
            entity = toOne.destinationEntity ?? entity
        }
        let attributes = entity.sortedAttributePaths.filter { accept($0.type) }
        guard !attributes.isEmpty else { return nil }
        let attribute = pick(attributes)
        return ((keys + [attribute.path]).joined(separator: "."), attribute.type)
    }

    /// A key path in the format.
    func written(_ path: String) -> String {
        prefix + path.components(separatedBy: ".").map { "#" + $0 }.joined(separator: ".")
    }

    /// Whether values of a type can also be ordered on Apple's systems.
    private static func isOpaque(_ type: NSAttributeType) -> Bool {
        type == .transformableAttributeType
    }

    /// A constant, usually of a type. It is never a number for a string or a string for a number,
    /// because a store converts these like SQLite, and evaluation in memory does not.
    mutating func constant(_ type: NSAttributeType) -> Any {
        if roll(8) == 0 { return NSNull() }
        let other = roll(8) == 0 ? pick(RandomModel.attributeTypes) : type
        let isMixed =
            Self.isText(type) && Self.isNumber(other) || Self.isNumber(type) && Self.isText(other)
        let type = isMixed ? type : other
        if Self.isOpaque(type) { return NSNull() }
        return RandomValues.present(type, using: &random) ?? NSNull()
    }

    private mutating func relation() -> String {
        pick(["==", "!=", "<", "<=", ">", ">=", "=", "<>", "=<", "=>"])
    }

    mutating func options() -> String { pick(["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]"]) }

    // MARK: - Leaves

    private mutating func valueLeaf() -> Fragment? {
        guard let (path, type) = path() else { return nil }
        let left = Fragment(format: written(path))
        switch roll(4) {
        case 0:
            guard let (other, _) = self.path({ $0 == type || Self.isNumber($0) }) else {
                return nil
            }
            return left + " \(relation()) \(written(other))"
        case 1: return Fragment(format: "%@ \(relation()) ", arguments: [constant(type)]) + left
        default: return left + Fragment(format: " \(relation()) %@", arguments: [constant(type)])
        }
    }

    mutating func text() -> String {
        roll(3) == 0
            ? pick(["b", "bc", "B", "*", "a?", "?b*", "A*", "item*", "[ab].*", "\\w+", "(a|Z).*"])
            : pick(RandomValues.texts)
    }

    private mutating func textLeaf() -> Fragment? {
        guard let (path, _) = path(Self.isText) else { return nil }
        let type = pick([
            "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==", "!=", "<", ">=", "IN", "MATCHES",
        ])
        let left = written(path)
        if type == "MATCHES" {
            let pattern = pick(["a.*", "[A-Z]bc", "\\w+", "", "item \\d+", "(?i)strasse", "日."])
            return Fragment(
                format: "\(left) MATCHES\(pick(["", "[c]", "[cd]"])) %@", arguments: [pattern])
        }
        if roll(4) == 0, let (other, _) = self.path(Self.isText) {
            return Fragment(format: "\(left) \(type)\(options()) \(written(other))")
        }
        return Fragment(format: "\(left) \(type)\(options()) %@", arguments: [text()])
    }

    private mutating func relationshipLeaf() -> Fragment? {
        let toOnes = entity.sortedRelationships(toMany: false)
        let sign = pick(["==", "!="])
        guard !toOnes.isEmpty, roll(5) > 0, let destination = pick(toOnes).destinationEntity else {
            let objects = world.objects(of: entity)
            guard !objects.isEmpty else { return nil }
            let me =
                prefix.isEmpty ? pick(["SELF", "self", "objectID"]) : String(prefix.dropLast())
            if roll(2) == 0 {
                return Fragment(
                    format: "\(me) IN %@", arguments: [[pick(objects), pick(objects).objectID]])
            }
            return Fragment(format: "\(me) \(sign) %@", arguments: [pick(objects)])
        }
        let toOne = pick(toOnes.filter { $0.destinationEntity === destination })
        let path = written(toOne.name)
        let objects = world.objects(of: destination) + [pick(world.objects)]
        switch roll(6) {
        case 0: return Fragment(format: "\(path) \(sign) nil")
        case 1:
            return Fragment(format: "\(path) IN %@", arguments: [[pick(objects), pick(objects)]])
        case 2:
            return Fragment(
                format: "\(path) IN %@", arguments: [NSSet(array: [pick(objects), pick(objects)])])
        case 3: return Fragment(format: "\(path) \(sign) \(written(pick(toOnes).name))")
        case 4: return Fragment(format: "\(path) \(sign) %@", arguments: [pick(objects).objectID])
        default: return Fragment(format: "\(path) \(sign) %@", arguments: [pick(objects)])
        }
    }

    // MARK: - To many

    /// A to-many relationship, possibly after a to-one.
    mutating func toMany() -> (path: String, member: NSEntityDescription)? {
        var entity = self.entity
        var keys: [String] = []
        let toOnes = entity.sortedRelationships(toMany: false)
        if !toOnes.isEmpty, roll(4) == 0 {
            let toOne = pick(toOnes)
            keys.append(toOne.name)
            entity = toOne.destinationEntity ?? entity
        }
        let toManys = entity.sortedRelationships(toMany: true)
        guard !toManys.isEmpty else { return nil }
        let toMany = pick(toManys)
        guard let member = toMany.destinationEntity else { return nil }
        return ((keys + [toMany.name]).joined(separator: "."), member)
    }

    private mutating func toManyLeaf() -> Fragment? {
        guard var (path, member) = toMany() else { return nil }
        let modifier = pick(["ANY", "ALL", "NONE", "SOME"])
        var hasTwoSteps = false
        let more = member.sortedRelationships(toMany: true)
        if roll(4) == 0, !more.isEmpty {
            let second = pick(more)
            path += "." + second.name
            member = second.destinationEntity ?? member
            hasTwoSteps = true
        }
        let members = world.objects(of: member)
        switch roll(6) {
        case 0:
            guard let (text, _) = self.path(from: member, Self.isText) else { return nil }
            let type = pick(["BEGINSWITH", "CONTAINS", "LIKE", "ENDSWITH", "=="])
            return Fragment(
                format: "\(modifier) \(written(path + "." + text)) \(type)\(options()) %@",
                arguments: [self.text()])
        case 1:
            guard let (value, type) = self.path(from: member) else { return nil }
            return Fragment(
                format: "\(modifier) \(written(path + "." + value)) IN %@",
                arguments: [[constant(type), constant(type)]])
        case 2:
            guard !members.isEmpty else { return nil }
            return Fragment(
                format: "\(modifier) \(written(path)) == %@", arguments: [pick(members)])
        case 3:
            // In memory, two to-many steps result in a collection of collections.
            guard !members.isEmpty, !hasTwoSteps else { return nil }
            return Fragment(format: "\(written(path)) CONTAINS %@", arguments: [pick(members)])
        case 4:
            guard let (value, type) = self.path(from: member, Self.isComparable),
                let (other, _) = self.path({ $0 == type })
            else { return nil }
            return Fragment(
                format: "\(modifier) \(written(path + "." + value)) \(relation()) \(written(other))"
            )
        default:
            guard let (value, type) = self.path(from: member) else { return nil }
            return Fragment(
                format: "\(modifier) \(written(path + "." + value)) \(relation()) %@",
                arguments: [constant(type)])
        }
    }

    private mutating func aggregate() -> (Fragment, NSAttributeType)? {
        guard let (path, member) = toMany() else { return nil }
        if roll(3) == 0 {
            return (Fragment(format: "\(written(path)).@count"), .integer64AttributeType)
        }
        let more = member.sortedRelationships(toMany: true)
        if roll(3) == 0, !more.isEmpty {
            let format = "\(written(path)).@\(pick(["sum", "avg", "min", "max"]))."
            return (
                Fragment(format: "\(format)#\(pick(more).name).@count"), .integer64AttributeType
            )
        }
        let name = pick(["sum", "avg", "min", "max"])
        let isStatistic = name == "sum" || name == "avg"
        guard
            let (value, type) = self.path(
                from: member, { isStatistic ? Self.isNumber($0) : Self.isComparable($0) })
        else { return nil }
        // The sum of numbers near their limits depends on the order of the addition.
        if isStatistic, type != .integer16AttributeType, type != .booleanAttributeType,
            type != .integer32AttributeType, type != .doubleAttributeType
        {
            return nil
        }
        if roll(2) == 0 {
            return (
                Fragment(
                    format: "\(written(path)).@\(name).\(written(value).dropFirst(prefix.count))"),
                type
            )
        }
        let function = name == "avg" ? "average" : name
        return (Fragment(format: "\(function):(\(written(path + "." + value)))"), type)
    }

    private mutating func aggregateLeaf() -> Fragment? {
        guard let (aggregate, type) = aggregate() else { return nil }
        return aggregate + Fragment(format: " \(relation()) %@", arguments: [constant(type)])
    }

    private mutating func subqueryLeaf() -> Fragment? {
        guard depth < 2, let (path, member) = toMany() else { return nil }
        var inner = RandomPredicate(world, member, random)
        inner.depth = depth + 1
        inner.prefix = "$v\(depth)."
        var predicate = inner.predicate(depth: 1)
        random = inner.random
        if roll(3) == 0, let (value, type) = self.path(from: member, Self.isComparable),
            let (other, _) = self.path({ $0 == type })
        {
            predicate = predicate + " AND \(inner.written(value)) \(relation()) \(written(other))"
        }
        let subquery = "SUBQUERY(\(written(path)), $v\(depth), " + predicate + ")"
        switch roll(5) {
        case 0 where depth == 0:
            guard let (value, type) = self.path(from: member, Self.isComparable) else { return nil }
            return "ANY " + subquery
                + Fragment(format: ".\(RandomPredicate(world, member, random).written(value))")
                + Fragment(format: " \(relation()) %@", arguments: [constant(type)])
        default:
            return subquery + ".@count \(relation()) \(roll(3))"
        }
    }

    // MARK: - Lists

    private mutating func listLeaf() -> Fragment? {
        guard let (path, type) = path({ !Self.isOpaque($0) }) else { return nil }
        let left = written(path)
        let count = pick([0, 1, 3, 20])
        let values = (0..<count).map { _ in constant(type) }
        switch roll(5) {
        case 0:
            return Fragment(
                format: "\(left) BETWEEN {%@, %@}", arguments: [constant(type), constant(type)])
        case 1: return Fragment(format: "NOT (\(left) IN %@)", arguments: [values])
        case 2:
            guard let (other, _) = self.path({ $0 == type }) else { return nil }
            return Fragment(
                format: "\(left) IN {\(written(other)), %@}", arguments: [constant(type)])
        case 3 where type == .stringAttributeType:
            return Fragment(
                format: "\(left) IN\(options()) %@",
                arguments: [values.compactMap { $0 as? String }])
        case 4 where Self.isComparable(type):
            guard let (other, _) = self.path({ $0 == type }) else { return nil }
            return Fragment(
                format: "\(left) BETWEEN {\(written(other)), %@}", arguments: [constant(type)])
        default: return Fragment(format: "\(left) IN %@", arguments: [values])
        }
    }

    // MARK: - Evaluation in memory only

    private mutating func memoryLeaf() -> Fragment? {
        guard prefix.isEmpty else { return nil }
        switch roll(6) {
        case 0:
            let wanted = roll(3)
            return Fragment(
                format: "%@ == 1 OR TRUEPREDICATE",
                arguments: [NSNumber(value: wanted)])
        case 1:
            guard let (path, member) = toMany(),
                let (value, type) = self.path(from: member, { !Self.isOpaque($0) })
            else { return nil }
            return Fragment(
                format: "%@ IN \(written(path)).@distinctUnionOfObjects.\(written(value))",
                arguments: [RandomValues.present(type, using: &random) ?? NSNull()])
        case 2:
            guard let (path, member) = toMany(),
                let (value, _) = self.path(from: member, { $0 == .integer16AttributeType })
            else { return nil }
            return Fragment(
                format:
                    "\(pick(["median", "stddev"])):(\(written(path + "." + value))) \(relation()) 1"
            )
        case 3:
            guard let (path, _) = toMany() else { return nil }
            return Fragment(format: "\(written(path))[SIZE] \(relation()) \(roll(3))")
        case 4:
            return Fragment(
                format: "entity.name \(pick(["==", "!="])) %@", arguments: [entity.name ?? ""])
        default:
            guard let (path, _) = path(Self.isText) else { return nil }
            return Fragment(
                format: "FUNCTION(\(written(path)), 'stringByAppendingString:', 'x') == %@",
                arguments: [text() + "x"])
        }
    }
}
