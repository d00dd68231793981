import CoreData
import Testing

@testable import Seam3

@Suite("Strings compare alike in SQL and in memory") struct TextComparisonTests {
    static let texts: [String?] = [
        nil, "", "a", "A", "b", "e", "é", "e\u{301}", "É", "E\u{301}", "École", "ecole", "straße",
        "STRASSE", "i", "İ", "ı", "ﬁ", "\u{212B}", "å", "Σ", "ς", "ア", "ｱ", "👩‍👩‍👧", "a\u{0}b", "a*",
    ]
    static let options = ["", "[c]", "[d]", "[cd]"]
    static let relations = [
        "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE",
    ]

    private static func store() throws -> QueryStore {
        try QueryStore(
            model: NSManagedObjectModel(
                NSEntityDescription(
                    "Pair",
                    [
                        NSAttributeDescription("left", .stringAttributeType),
                        NSAttributeDescription("right", .stringAttributeType),
                    ])))
    }

    /// The objects that a fetch finds, and those that match the predicate in memory.
    private func expectAgreement(
        _ predicate: NSPredicate, _ objects: [NSManagedObject], _ store: QueryStore,
        _ remark: String = ""
    ) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Pair")
        request.predicate = predicate
        let found = Set(try store.fetch(request).map(\.objectID))
        let expected = Set(objects.filter { predicate.evaluate(with: $0) }.map(\.objectID))
        let differing = objects.filter {
            found.contains($0.objectID) != expected.contains($0.objectID)
        }.map { "\($0.value(forKey: "left") ?? "nil") \($0.value(forKey: "right") ?? "nil")" }
        #expect(differing.isEmpty, "\(predicate) \(remark)")
    }

    @Test("of two attributes", arguments: options) func columns(option: String) throws {
        let store = try Self.store()
        var objects: [NSManagedObject] = []
        for left in Self.texts {
            for right in Self.texts {
                let pair = store.insert("Pair")
                pair.setValue(left, forKey: "left")
                pair.setValue(right, forKey: "right")
                objects.append(pair)
            }
        }
        try store.save()
        for relation in Self.relations {
            try expectAgreement(
                NSPredicate(format: "left \(relation)\(option) right"), objects, store)
        }
    }

    @Test("of an attribute and a constant", arguments: options) func constants(option: String)
        throws
    {
        let store = try Self.store()
        let objects = Self.texts.map { text in
            let pair = store.insert("Pair")
            pair.setValue(text, forKey: "left")
            return pair
        }
        try store.save()
        for text in Self.texts.compactMap({ $0 }) {
            for relation in Self.relations + ["MATCHES"] {
                try expectAgreement(
                    NSPredicate(format: "left \(relation)\(option) %@", text), objects, store)
                guard relation != "MATCHES", relation != "LIKE" else { continue }
                try expectAgreement(
                    NSPredicate(format: "%@ \(relation)\(option) left", text), objects, store)
            }
            try expectAgreement(
                NSPredicate(format: "left IN\(option) %@", [text, "other"]), objects, store)
            try expectAgreement(
                NSPredicate(format: "left BETWEEN\(option) %@", ["a", text]), objects, store)
        }
    }

    /// The meaning of a comparison.
    static let meanings: [(left: String, comparison: String, right: String, holds: Bool)] = [
        ("é", "==", "e", false), ("é", "==", "É", false), ("é", "==[c]", "É", true),
        ("é", "==[c]", "E\u{301}", true), ("é", "==[d]", "e", true), ("É", "==[d]", "e", false),
        ("É", "==[cd]", "e", true), ("É", "!=[cd]", "e", false), ("", "==[cd]", "", true),
        ("École", "BEGINSWITH[cd]", "ECO", true), ("École", "BEGINSWITH[c]", "eco", false),
        ("École", "ENDSWITH[c]", "COLE", true), ("École", "CONTAINS[d]", "Ecol", true),
        ("École", "CONTAINS[d]", "ecol", false), ("École", "LIKE[cd]", "ec*E", true),
        ("École", "LIKE[cd]", "ec?e", false), ("École", "MATCHES[cd]", "ecol.", true),
        ("a", "<", "B", false), ("a", "<[c]", "B", true), ("é", "<", "f", false),
        ("é", "<[d]", "f", true), ("É", ">=[cd]", "e", true),
    ]

    @Test("and with the options that ignore case or diacritics")
    func meaning() throws {
        let store = try Self.store()
        let pair = store.insert("Pair")
        for (left, comparison, right, holds) in Self.meanings {
            pair.setValue(left, forKey: "left")
            pair.setValue(right, forKey: "right")
            try store.save()
            for predicate in [
                NSPredicate(format: "left \(comparison) right"),
                NSPredicate(format: "left \(comparison) %@", right),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Pair")
                request.predicate = predicate
                let found = try store.fetch(request)
                #expect(!found.isEmpty == holds, "\(left) \(comparison) \(right) in SQL")
                #expect(
                    predicate.evaluate(with: pair) == holds, "\(left) \(comparison) \(right)")
            }
        }
    }
}
