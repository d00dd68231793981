import CoreDataFiles
import FoundationGaps
import SeededRandom
import Testing

@testable import CoreData

/// Objects in an archive may refer to any other, so a damaged one may contain itself.
@Suite struct DamagedArchiveTests {
    private static let file = URL(fileURLWithPath: "/test.mom")

    private static let twice: ArchiveValue = [.enclosing(1), .enclosing(1), "end"]

    @Test(
        "A collection that contains itself is read without that reference",
        arguments: [
            ["NSUserInfo": .dictionary([("own", twice)])],
            ["NSUserInfo": .dictionary([("own", [twice, twice, .enclosing(2)])])],
            ["NSUserInfo": .dictionary([("own", .enclosing(1)), ("name", "a")])],
            [
                "NSUserInfo": .dictionary([
                    ("own", .object("NSURL", ["NS.relative": "a", "NS.base": .enclosing(1)]))
                ])
            ],
            ["NSUniqueTuples": [twice]], ["NSCompoundIndexes": [twice]],
        ] as [[String: ArchiveValue]])
    func collection(entity: [String: ArchiveValue]) throws {
        let contents = try CompiledModelReader.read(
            ArchiveValue.model(entity: entity), at: Self.file)
        #expect(contents.entities.map(\.name) == ["Item"])
    }

    @Test(
        "An archive that contains itself and cannot be read without that is an error",
        arguments: [
            [
                "NSValidationWarnings": ["too odd"],
                "NSValidationPredicates": [
                    .object(
                        "NSCompoundPredicate",
                        [
                            "NSCompoundPredicateType": 1,
                            "NSSubpredicates": [.enclosing(2), .enclosing(2)],
                        ])
                ],
            ],
            [
                "NSValidationWarnings": ["too odd"],
                "NSValidationPredicates": [
                    .comparison(.function("sum:", [.enclosing(2), .enclosing(2)]), 4, .path("a"))
                ],
            ],
        ] as [[String: ArchiveValue]])
    func error(attribute: [String: ArchiveValue]) {
        #expect(throws: ManagedObjectModelFileError.self) {
            try CompiledModelReader.read(ArchiveValue.model(attribute: attribute), at: Self.file)
        }
    }

    @Test("A composite that is an element of itself is an error")
    func composite() {
        let composite = ArchiveValue.object(
            "NSCompositeAttributeDescription",
            [
                "NSPropertyName": "place", "NSAttributeType": 2100,
                "NSElements": [.enclosing(2), .enclosing(2)],
            ])
        let data = ArchiveValue.model(entity: ["NSProperties": .dictionary([("place", composite)])])
        #expect(throws: ManagedObjectModelFileError.self) {
            try CompiledModelReader.read(data, at: Self.file)
        }
    }

    @Test("A comparison with an unknown modifier is an error", arguments: [-1, 3])
    func modifier(number: Int) {
        let comparison = ArchiveValue.object(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": .path("a"), "NSRightExpression": .path("b"),
                "NSPredicateOperator": .object(
                    "NSPredicateOperator",
                    ["NSOperatorType": 4, "NSModifier": .integer(number)]),
            ])
        let data = ArchiveValue.model(attribute: [
            "NSValidationPredicates": [comparison], "NSValidationWarnings": ["too odd"],
        ])
        #expect(throws: ManagedObjectModelFileError.self) {
            try CompiledModelReader.read(data, at: Self.file)
        }
    }

    @Test("A decimal number cannot be a key of a dictionary")
    func decimalKey() throws {
        let price = ArchiveValue.object(
            "NSDecimalNumber", ["NS.mantissa": .data(Data([1, 0])), "NS.length": 1])
        let notes = ArchiveValue.entries([(price, "a"), ("name", "b")])
        let contents = try CompiledModelReader.read(
            ArchiveValue.model(entity: ["NSUserInfo": notes]), at: Self.file)
        #expect(contents.entities.first?.userInfo?.keys.map(\.base) as? [String] == ["name"])
    }

    @Test("A property list whose array contains itself is an error")
    func propertyList() {
        // One array that refers to itself twice, the table of offsets, and the trailer.
        var bytes = Array("bplist00".utf8) + [0xA2, 0, 0, 8]
        bytes += Array(repeating: 0, count: 19)
        let table = bytes.count
        bytes += [8, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 8)
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
        #expect(throws: BinaryPropertyListError.self) {
            try BinaryPropertyListReader.read(Data(bytes))
        }
    }

    @Test("An archive with damaged bytes gives an error or a model, and never a crash")
    func damaged() throws {
        let price = ArchiveValue.object(
            "NSDecimalNumber",
            ["NS.mantissa": .data(Data([1, 2])), "NS.length": 1, "NS.exponent": -2])
        let original = ArchiveValue.model(
            attribute: [
                "NSValidationWarnings": ["too odd"], "NSDefaultValue": price,
                "NSValidationPredicates": [
                    .comparison(.function("sum:", ["a", "b"]), 4, .path("a"))
                ],
            ],
            entity: [
                "NSUserInfo": .dictionary([("list", ["a", ["b", ["c"]]]), ("price", price)]),
                "NSUniqueTuples": [["size"]],
            ])
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            var bytes = Array(original)
            for _ in 0..<(1 + round % 4) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            do {
                _ = try CompiledModelReader.read(Data(bytes), at: Self.file)
            } catch {
                #expect(error is ManagedObjectModelFileError, "seed \(seed)")
            }
        }
    }

    private static func twice(
        _ depth: Int, _ end: ArchiveValue, _ level: (Int, [ArchiveValue]) -> ArchiveValue
    ) -> ArchiveValue {
        (1...depth).reduce(level(0, [end])) { inner, number in
            level(number, [inner, .label("\(number - 1)")])
        }
    }

    @Test("A few bytes that stand for many parts are an error", arguments: [8, 40])
    func doubled(depth: Int) {
        let compound = Self.twice(
            depth, .comparison(.path("a"), 4, .path("b"))
        ) { number, parts in
            .labeled(
                "\(number)", "NSCompoundPredicate",
                ["NSCompoundPredicateType": 1, "NSSubpredicates": .array(parts)])
        }
        let composite = Self.twice(
            depth,
            .object("NSAttributeDescription", ["NSPropertyName": "a", "NSAttributeType": 700])
        ) { number, parts in
            .labeled(
                "\(number)", "NSCompositeAttributeDescription",
                [
                    "NSPropertyName": "place", "NSAttributeType": 2100,
                    "NSElements": .array(parts),
                ])
        }
        let list = Self.twice(depth, "end") { number, parts in
            .labeled("\(number)", "NSArray", ["NS.objects": .references(parts)])
        }
        let models = [
            ArchiveValue.model(attribute: [
                "NSValidationPredicates": [compound], "NSValidationWarnings": ["too odd"],
            ]),
            ArchiveValue.model(entity: ["NSProperties": .dictionary([("place", composite)])]),
            ArchiveValue.model(entity: ["NSUserInfo": .dictionary([("list", list)])]),
        ]
        for model in models {
            let result = Result { try CompiledModelReader.read(model, at: Self.file) }
            if depth == 40 {
                #expect(throws: ManagedObjectModelFileError.self) { try result.get() }
            }
        }
    }

    @Test("A property list whose parts are shared is read once for each part")
    func sharedParts() throws {
        // Arrays of two references to the next one, of one byte each.
        let depth: UInt8 = 24
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for number in 0..<depth {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA2, number + 1, number + 1]
        }
        offsets.append(UInt8(bytes.count))
        bytes += [0x51, 0x61]
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, depth + 1]
        bytes += Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, table]
        _ = try BinaryPropertyListReader.read(Data(bytes))
        #expect(!BinaryPropertyListReader.isModest(Data(bytes)))
    }

    @Test("A model that declares a name twice is an error")
    func declaredTwice() {
        let size = ArchiveValue.object(
            "NSAttributeDescription", ["NSPropertyName": "size", "NSAttributeType": 700])
        let copy = ArchiveValue.object(
            "NSAttributeDescription", ["NSPropertyName": "copy", "NSAttributeType": 700])
        let models = [
            ArchiveValue.model(entity: ["NSProperties": .dictionary([("a", size), ("b", size)])]),
            ArchiveValue.model(entity: ["NSProperties": .dictionary([("copy", copy)])]),
        ]
        for model in models {
            #expect(throws: ManagedObjectModelFileError.self) {
                try CompiledModelReader.read(model, at: Self.file)
            }
        }
    }
}
