import CoreData

/// Writes random predicates over the items of a world.
///
/// It leaves out what is meant to differ: a to-many path without a modifier, which SQL takes for
/// ANY, and arithmetic with NaN.
struct PredicateGenerator {
    private let world: QueryWorld
    private var random: SeededGenerator

    init(world: QueryWorld, seed: UInt64) {
        self.world = world
        random = SeededGenerator(seed: seed &* 7919)
    }

    mutating func predicate(depth: Int) -> NSPredicate {
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
        case 1:
            return NSCompoundPredicate(andPredicateWithSubpredicates: [
                predicate(depth: depth - 1), predicate(depth: depth - 1),
            ])
        case 2:
            return NSCompoundPredicate(orPredicateWithSubpredicates: [
                predicate(depth: depth - 1), predicate(depth: depth - 1),
            ])
        default: return leaf()
        }
    }

    private mutating func leaf() -> NSPredicate {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return relationshipLeaf()
        case 1: return toManyLeaf()
        case 2: return aggregateLeaf()
        case 3: return subqueryLeaf()
        case 4: return listLeaf()
        case 5: return arithmeticLeaf()
        case 6, 7, 8: return textLeaf()
        default: return valueLeaf()
        }
    }

    // MARK: - Pieces

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func path() -> String {
        pick([
            "name", "order", "group", "flag", "weight", "size", "price", "date", "uuid", "url",
            "box.name", "box.level", "box.room.name", "parent.name", "parent.weight", "data",
            "parent.box.level",
        ])
    }

    private mutating func textPath() -> String {
        pick(["name", "order", "box.name", "box.room.name", "parent.order", "parent.box.name"])
    }

    private mutating func constant() -> Any {
        let value: Any?
        switch Int.random(in: 0..<8, using: &random) {
        case 0: value = QueryWorld.pick(QueryWorld.texts, &random)
        case 1: value = QueryWorld.pick(QueryWorld.whole.filter { abs($0 ?? 0) < 2000 }, &random)
        case 2: value = QueryWorld.pick(QueryWorld.doubles, &random)
        case 3:
            value = QueryWorld.pick(QueryWorld.decimals, &random).map {
                NSDecimalNumber(string: $0)
            }
        case 4: value = QueryWorld.pick(QueryWorld.dates, &random)
        case 5: value = QueryWorld.pick(QueryWorld.uuids, &random)
        case 6: value = QueryWorld.pick(QueryWorld.urls, &random)
        default: value = QueryWorld.pick([1, 2, 0], &random)
        }
        return value ?? NSNull()
    }

    private func abs(_ value: Int64) -> Int64 { value == .min ? .max : Swift.abs(value) }

    private mutating func relation() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

    private mutating func options() -> String { pick(["", "", "[c]", "[d]", "[cd]"]) }

    private mutating func text() -> String {
        let texts = QueryWorld.texts.compactMap { $0 }
        return pick(texts + ["b", "bc", "B", "*", "a?", "?b*", "A*"])
    }

    // MARK: - Leaves

    private mutating func valueLeaf() -> NSPredicate {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return NSPredicate(format: "%K \(relation()) %K", path(), path())
        case 1:
            return NSPredicate(format: "%@ \(relation()) %K", argumentArray: [constant(), path()])
        default:
            return NSPredicate(format: "%K \(relation()) %@", argumentArray: [path(), constant()])
        }
    }

    private mutating func textLeaf() -> NSPredicate {
        let type = pick([
            "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==", "!=", "<", ">=", "IN",
        ])
        if Int.random(in: 0..<4, using: &random) == 0 {
            return NSPredicate(format: "%K \(type)\(options()) %K", textPath(), textPath())
        }
        return NSPredicate(
            format: "%K \(type)\(options()) %@", argumentArray: [textPath(), text()])
    }

    private mutating func relationshipLeaf() -> NSPredicate {
        let sign = pick(["==", "!="])
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return NSPredicate(format: "box \(sign) nil")
        case 1: return NSPredicate(format: "box \(sign) %@", argumentArray: [pick(world.boxes)])
        case 2:
            return NSPredicate(
                format: "box IN %@", argumentArray: [[pick(world.boxes), pick(world.boxes)]])
        case 3: return NSPredicate(format: "box \(sign) parent.box")
        case 4: return NSPredicate(format: "self \(sign) %@", argumentArray: [pick(world.items)])
        default:
            return NSPredicate(
                format: "box.room \(sign) %@", argumentArray: [pick(world.rooms).objectID])
        }
    }

    private mutating func toManyLeaf() -> NSPredicate {
        let modifier = pick(["ANY", "ALL", "NONE", "SOME"])
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return NSPredicate(
                format: "\(modifier) children.%K \(relation()) %@",
                argumentArray: [pick(["name", "weight", "group", "box.level"]), constant()])
        case 1:
            let type = pick(["BEGINSWITH", "CONTAINS", "LIKE"])
            return NSPredicate(
                format: "\(modifier) tags.label \(type)\(options()) %@",
                argumentArray: [text()])
        case 2:
            return NSPredicate(
                format: "\(modifier) tags.rank IN %@", argumentArray: [[1, 3]])
        case 3:
            return NSPredicate(format: "\(modifier) tags == %@", argumentArray: [pick(world.tags)])
        default:
            return NSPredicate(format: "\(modifier) children.order == name")
        }
    }

    private mutating func aggregateLeaf() -> NSPredicate {
        let path = pick([
            "children.@count", "tags.@count", "tags.@sum.rank", "tags.@avg.rank", "tags.@max.rank",
            "tags.@min.label", "children.@max.group", "children.@sum.group", "children.@min.price",
            "children.@sum.price", "children.@max.date",
        ])
        return NSPredicate(
            format: "\(path) \(relation()) %@", argumentArray: [constant()])
    }

    private mutating func subqueryLeaf() -> NSPredicate {
        let count = Int.random(in: 0..<3, using: &random)
        if Bool.random(using: &random) {
            return NSPredicate(
                format:
                    "SUBQUERY(children, $c, $c.%K \(relation()) %@).@count \(relation()) \(count)",
                argumentArray: [path(), constant()])
        }
        return NSPredicate(
            format: "SUBQUERY(tags, $t, $t.rank > \(count) AND $t.label != name).@count > 0")
    }

    private mutating func listLeaf() -> NSPredicate {
        let count = pick([0, 1, 3, 20])
        let values = (0..<count).map { _ in constant() }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return NSPredicate(
                format: "%K BETWEEN {%@, %@}",
                argumentArray: [path(), constant(), constant()])
        case 1: return NSPredicate(format: "NOT (%K IN %@)", argumentArray: [path(), values])
        default: return NSPredicate(format: "%K IN %@", argumentArray: [path(), values])
        }
    }

    private mutating func arithmeticLeaf() -> NSPredicate {
        let left = pick([
            "group + number", "group * 2", "number / 7", "number - group", "modulus:by:(number, 7)",
            "price + 1", "price * group", "abs(group)", "uppercase(name)", "lowercase(order)",
            "length(name)", "size / 2", "size + group", "TERNARY(group > 1, number, group)",
            "bitwiseAnd:with:(number, 3)", "floor(size)", "sqrt(number)",
        ])
        return NSPredicate(format: "\(left) \(relation()) %@", argumentArray: [constant()])
    }
}
