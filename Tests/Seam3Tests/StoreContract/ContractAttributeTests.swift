import CoreData
import Testing

@Suite("Every store keeps values", .serialized) struct ContractAttributeTests {
    static let values: [(key: String, value: any Hashable & Sendable)] = [
        ("name", "Ärger \u{1F600} 'quoted' \"twice\""), ("name", ""),
        ("number", Int64.max), ("number", Int64.min), ("number", Int64(0)),
        ("small", Int16.min), ("flag", true), ("flag", false),
        ("weight", 0.1 + 0.2), ("weight", -Double.greatestFiniteMagnitude),
        ("price", Decimal(string: "12345678901234567890.0123456789") ?? 0),
        ("date", Date(timeIntervalSinceReferenceDate: -3_000_000_000.25)),
        ("data", Data()), ("data", Data([0, 255, 1])),
        ("uuid", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()),
        ("url", URL(fileURLWithPath: "/a b/ü")),
    ]

    private func stored(
        _ value: any Hashable, forKey key: String, in context: NSManagedObjectContext
    )
        throws -> Bool
    {
        let found = try context.all().first?.value(forKey: key)
        if key == "price" {
            return (found as? NSDecimalNumber)?.decimalValue == value as? Decimal
        }
        if let number = value as? NSNumber { return found as? NSNumber == number }
        return (found as? AnyHashable) == AnyHashable(value)
    }

    @Test("of every type, unchanged", arguments: ContractStore.allCases)
    func roundTrip(_ kind: ContractStore) throws {
        for (key, value) in Self.values {
            let stack = try ContractStack(kind)
            stack.insert("x", [key: value])
            try stack.save()
            #expect(
                try stored(value, forKey: key, in: stack.newContext()),
                "\(kind) \(key) \(value)")
        }
    }

    @Test("and nil, also after a value", arguments: ContractStore.allCases)
    func nilValues(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let object = stack.insert("x")
        for (key, value) in Self.values { object.setValue(value, forKey: key) }
        object.name = "x"
        try stack.save()
        let keys = Set(Self.values.map(\.key)).subtracting(["name"])
        for key in keys { object.setValue(nil, forKey: key) }
        try stack.save()
        let found = try #require(try stack.newContext().all().first)
        for key in keys { #expect(found.value(forKey: key) == nil, "\(key)") }
        #expect(found.name == "x")
    }

    @Test("that were changed, and only those", arguments: ContractStore.allCases)
    func changes(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let object = stack.insert("x", ["number": 1, "weight": 2.5])
        try stack.save()
        object.setValue(7, forKey: "number")
        #expect(object.changedValues().keys.sorted() == ["number"])
        try stack.save()
        #expect(!object.hasChanges)
        let found = try #require(try stack.newContext().all().first)
        #expect(found.value(forKey: "number") as? Int == 7)
        #expect(found.value(forKey: "weight") as? Double == 2.5)
    }

    @Test("of a subentity, inherited ones included", arguments: ContractStore.allCases)
    func subentity(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        stack.insert("Special", "s", ["extra": "more", "number": 3])
        try stack.save()
        let found = try #require(try stack.newContext().all().first)
        #expect(found.entity.name == "Special")
        #expect(found.value(forKey: "extra") as? String == "more")
        #expect(found.value(forKey: "number") as? Int == 3)
    }
}
