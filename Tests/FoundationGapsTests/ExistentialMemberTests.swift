import Testing

@testable import FoundationGaps

/// Members of collections whose element type is a protocol.
@Suite struct ExistentialMemberTests {
    /// One collection with the string "1" in it.
    struct Members: CustomTestStringConvertible, Sendable {
        let testDescription: String
        // Unchecked because each is a constant that no test changes.
        nonisolated(unsafe) let value: Any

        init(_ value: Any, _ description: String = "") {
            testDescription = description.isEmpty ? "\(type(of: value))" : description
            self.value = value
        }
    }

    static let collections: [Members] = [
        Members(["1"] as [Any]),
        Members(["1"] as [Any?]),
        Members(["1"] as [any CVarArg]),
        Members(["1"] as [(any CVarArg)?]),
        Members(["1"] as [any Sendable]),
        Members(["1"] as [any Hashable]),
        Members(["1"] as [any Equatable]),
        Members(["1"] as [any Comparable]),
        Members(["1"] as [any Codable]),
        Members(["1"] as [any StringProtocol]),
        Members(["1"] as [any CustomStringConvertible & Sendable]),
        Members(["1"] as [AnyHashable]),
        Members([NSString("1")] as [any NSCopying]),
        Members([NSString("1")] as [any NSObjectProtocol]),
        Members([NSString("1"), nil] as [(any NSObjectProtocol)?]),
        Members([NSString("1")] as [NSObject]),
        Members(["1"] as Set<AnyHashable>),
        Members(["k": "1"] as [String: any CVarArg]),
        Members(["k": "1"] as [AnyHashable: any Hashable]),
        Members(NSArray(array: ["1"] as [any CVarArg]), "NSArray of CVarArg"),
        Members(["1"] as [any CVarArg] as [Any], "CVarArg as Any"),
    ]

    @Test("A list of existential members contains a string", arguments: collections)
    func membership(members: Members) {
        let row = ["maker": "1"]
        #expect(NSPredicate(format: "%K IN %@", "maker", members.value).evaluate(with: row))
        #expect(
            NSPredicate(format: "maker IN %@", argumentArray: [members.value]).evaluate(with: row))
        let constant = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "maker"),
            rightExpression: NSExpression(forConstantValue: members.value),
            modifier: .direct, type: .in)
        #expect(constant.evaluate(with: row))
        let variable = NSPredicate(format: "maker IN $list")
        #expect(
            variable.withSubstitutionVariables(["list": members.value]).evaluate(with: row))
        #expect(variable.evaluate(with: row, substitutionVariables: ["list": members.value]))
        #expect(!NSPredicate(format: "maker IN %@", members.value).evaluate(with: ["maker": "2"]))
    }

    @Test(
        "A property's existential members contain a string",
        arguments: collections.filter { !($0.value is [AnyHashable: Any]) })
    func property(members: Members) {
        #expect(NSPredicate(format: "list CONTAINS '1'").evaluate(with: ["list": members.value]))
        #expect(NSPredicate(format: "ANY list == '1'").evaluate(with: ["list": members.value]))
    }

    @Test("A constant's members have their own types", arguments: collections)
    func constant(members: Members) throws {
        let value = NSExpression(forConstantValue: members.value).constantValue
        let list = elements(of: value)
        let found = try #require(list).contains { member in
            _exactly(member, String.self) != nil || _exactly(member, NSString.self) != nil
        }
        #expect(found)
    }

    @Test("A member that is a number stays a number")
    func numbers() {
        let list = [1, 2.5] as [any CVarArg]
        #expect(NSPredicate(format: "x IN %@", list).evaluate(with: ["x": 2.5]))
        #expect(!NSPredicate(format: "x IN %@", list).evaluate(with: ["x": "1"]))
        #expect(NSPredicate(format: "x BETWEEN %@", list).evaluate(with: ["x": 2]))
    }

    @Test("Members of nested collections have their own types")
    func nested() {
        let list = [["1"] as [any CVarArg], ["k": ["2"] as [any Hashable]]] as [any CVarArg]
        #expect(NSPredicate(format: "x IN %@", list).evaluate(with: ["x": ["1"]]))
        let constant = NSExpression(forConstantValue: list).constantValue
        let members = constant as? [Any]
        #expect((members?.first as? [Any]).map { _exactly($0[0], String.self) } == "1")
        let inner = (members?.last as? [AnyHashable: Any])?["k"] as? [Any]
        #expect(inner.map { _exactly($0[0], String.self) } == "2")
    }

    @Test("Equal constants are equal, whatever their members are declared as")
    func equality() {
        let predicates = Self.collections.prefix(10).map {
            NSPredicate(format: "maker IN %@", $0.value)
        }
        #expect(predicates.allSatisfy { $0 == predicates[0] })
    }
}
