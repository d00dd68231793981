import CoreDataFiles
import Testing

@testable import CoreData

/// Compiled models written by the tests, for features that no available model has.
@Suite struct ArchivedExpressionTests {
    /// A compiled model with one entity.
    private func model(
        attribute: [String: ArchiveValue] = [:], entity: [String: ArchiveValue] = [:]
    ) throws -> NSManagedObjectModel {
        let data = ArchiveValue.model(attribute: attribute, entity: entity)
        let model = NSManagedObjectModel()
        try model.adopt(CompiledModelReader.read(data, at: URL(fileURLWithPath: "/test.mom")))
        return model
    }

    private func validation(_ predicate: ArchiveValue) throws -> NSPredicate? {
        let model = try model(attribute: [
            "NSValidationPredicates": [predicate], "NSValidationWarnings": ["too odd"],
        ])
        return model.entitiesByName["Item"]?.propertiesByName["size"]?.validationPredicates.first
    }

    private static func set(_ type: Int) -> ArchiveValue {
        .object(
            "NSSetExpression",
            [
                "NSExpressionType": .integer(type), "NSLeftExpression": .path("a"),
                "NSRightExpression": .path("b"),
            ])
    }

    private static let subquery = ArchiveValue.object(
        "NSSubqueryExpression",
        [
            "NSExpressionType": 13, "NSExpression": .path("children"), "NSVariable": "x",
            "NSSubpredicate": .comparison(.path("age", of: .variable("x")), 2, .constant(5)),
        ])

    @Test(
        "Every kind of archived expression is read",
        arguments: [
            (.path("@count", of: subquery), "SUBQUERY(children, $x, $x.age > 5).@count"),
            (
                .function(
                    "valueForKeyPath:", of: subquery,
                    .object("NSKeyPathSpecifierExpression", ["NSKeyPath": "@count"])),
                "SUBQUERY(children, $x, $x.age > 5).@count"
            ),
            (set(5), "a UNION b"), (set(6), "a INTERSECT b"), (set(7), "a MINUS b"),
            (
                .object(
                    "NSTernaryExpression",
                    [
                        "NSPredicate": .comparison(.path("a"), 4, .constant("x")),
                        "NSTrueExpression": .constant(1), "NSFalseExpression": .path("b"),
                    ]), "TERNARY(a == \"x\", 1, b)"
            ),
            (.function("sum:", .path("a")), "sum(a)"), (.function("now"), "now()"),
            (.function("add:to:", .path("a"), .constant(2)), "a + 2"),
            (
                .function("hasPrefix:", of: .path("a"), .constant("x")),
                "FUNCTION(a, \"hasPrefix:\", \"x\")"
            ),
            (
                .function(
                    "objectFrom:withIndex:", .path("a"),
                    .object("NSSymbolicExpression", ["NSToken": "FIRST"])), "a[FIRST]"
            ),
            (.object("NSAggregateExpression", ["NSCollection": [.constant(1)]]), "{1}"),
            (.object("NSAnyKeyExpression", [:]), "ANYKEY"), (.variable("v"), "$v"),
            (
                .object(
                    "NSFetchRequestExpression",
                    [
                        "NSFRExpression": .variable("request"),
                        "NSMOCExpression": .path("sourceContext", of: .variable("manager")),
                    ]), "FETCH($request, $manager.sourceContext, 0)"
            ),
        ] as [(ArchiveValue, String)])
    func expressions(archived: ArchiveValue, printed: String) throws {
        let predicate = try validation(.comparison(archived, 5, .constant(9)))
        let comparison = try #require(predicate as? NSComparisonPredicate)
        #expect(comparison.leftExpression.description == printed)
    }

    @Test(
        "An expression that is incomplete, or of an unknown class, is an error that names it",
        arguments: [
            (.object("NSSubqueryExpression", ["NSVariable": "x"]), "NSSubqueryExpression"),
            (
                .object(
                    "NSSubqueryExpression",
                    ["NSExpression": .path("a"), "NSVariable": "x) OR (1"]), "is not a name"
            ),
            (.object("NSSetExpression", ["NSExpressionType": 5]), "NSSetExpression"),
            (.object("NSSetExpression", ["NSExpressionType": 99]), "unknown type"),
            (.object("NSBlockExpression", [:]), "NSBlockExpression"),
        ] as [(ArchiveValue, String)])
    func failures(archived: ArchiveValue, reason: String) throws {
        let error = #expect(throws: ManagedObjectModelFileError.self) {
            try validation(.comparison(archived, 4, .constant(1)))
        }
        #expect(error?.reason.contains(reason) == true)
        #expect(error?.element?.contains("size") == true)
    }

    @Test("A column of an index that is an expression is read, in its place")
    func indexExpression() throws {
        let column = ArchiveValue.object(
            "NSFetchIndexElementDescription",
            [
                "NSPropertyName": "lowercase:(name)", "NSAscending": false,
                "NSIndexedProperty": .object(
                    "NSExpressionDescription",
                    [
                        "NSPropertyName": "lowercase:(name)", "NSExpressionType": 700,
                        "NSExpression": .function("lowercase:", .path("name")),
                    ]),
            ])
        let plain = ArchiveValue.object(
            "NSFetchIndexElementDescription", ["NSPropertyName": "size", "NSAscending": true])
        let model = try model(entity: [
            "NSFetchIndexDescriptions": [
                .object(
                    "NSFetchIndexDescription",
                    ["NSIndexName": "bySize", "NSIndexElements": [column, plain]])
            ]
        ])
        let elements = try #require(model.entitiesByName["Item"]?.indexes.first?.elements)
        #expect(elements.map(\.propertyName) == ["lowercase:(name)", "size"])
        #expect(elements.map(\.isAscending) == [false, true])
        let indexed = try #require(elements.first?.property as? NSExpressionDescription)
        #expect(indexed.expression?.description == "lowercase(name)")
        #expect(indexed.expressionResultType == .stringAttributeType)
    }

    @Test(
        "The flags of an archived attribute are read",
        arguments: [(0, []), (4, [4]), (16, [16]), (32, [32]), (52, [4, 16, 32])])
    func flags(number: Int, expected: [Int]) throws {
        let model = try model(attribute: ["NSFlagsKey": .integer(number)])
        let attribute = try #require(model.entitiesByName["Item"]?.attributesByName["size"])
        #expect(attribute.allowsExternalBinaryDataStorage == expected.contains(4))
        #expect(attribute.preservesValueInHistoryOnDeletion == expected.contains(16))
        #expect(attribute.allowsCloudEncryption == expected.contains(32))
    }
}
