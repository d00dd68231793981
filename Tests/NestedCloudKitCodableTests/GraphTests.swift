import CloudKit
import LocalCloud
import NestedCloudKitCodable
import Testing

final class Node: CKCodable {
    var cloudKitRecordType: String { "Node" }
    var cloudKitIdentifier: String { name }
    var name: String
    var next: Node?
    var others: [Node] = []

    init(_ name: String) { self.name = name }
}

/// An object with a required reference.
struct Strict: CKDecodable {
    var cloudKitRecordType: String { "Node" }
    var cloudKitIdentifier: String { name }
    var name: String
    var next: Next

    struct Next: CKDecodable {
        var cloudKitRecordType: String { "Node" }
        var cloudKitIdentifier: String { name }
        var name: String
        var next: End
    }

    struct End: CKDecodable {
        var cloudKitRecordType: String { "Node" }
        var cloudKitIdentifier: String { name }
        var name: String
    }
}

@Suite("Graphs of objects")
struct GraphTests {
    /// A chain of nodes.
    func chain(_ count: Int) -> Node {
        let nodes = (0..<count).map { Node("n\($0)") }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        return nodes[0]
    }

    @Test("A cycle is encoded once, and cut where it closes when it is decoded")
    func cycle() async throws {
        let test = try await TestCloud()
        let (a, b) = (Node("a"), Node("b"))
        a.next = b
        b.next = a
        defer { a.next = nil }
        let records = try test.encoder.encode(a)
        #expect(records.count == 2)
        try await test.save(records)
        let copy = try await test.load(Node.self, "a")
        #expect(copy.next?.name == "b")
        #expect(copy.next?.next == nil)
    }

    @Test("A cycle of properties that are not optional is an error with their path")
    func strictCycle() async throws {
        let test = try await TestCloud()
        let (a, b) = (Node("a"), Node("b"))
        a.next = b
        b.next = a
        defer { a.next = nil }
        try await test.save(a)
        let error = await #expect(throws: CKCodableError.self) {
            try await test.load(Strict.self, "a")
        }
        #expect(error?.errorType == .cyclicReference)
        #expect(error?.path == "next.next")
    }

    @Test("An object that is referenced twice is one instance again")
    func shared() async throws {
        let test = try await TestCloud()
        let (root, shared) = (Node("root"), Node("shared"))
        let (left, right) = (Node("left"), Node("right"))
        left.next = shared
        right.next = shared
        root.others = [left, right]
        try await test.save(root)
        let copy = try await test.load(Node.self, "root")
        #expect(copy.others.map(\.name) == ["left", "right"])
        #expect(copy.others[0].next != nil)
        #expect(copy.others[0].next === copy.others[1].next)
    }

    @Test("Objects that all refer to each other are decoded quickly")
    func clique() async throws {
        let test = try await TestCloud()
        let nodes = (0..<12).map { Node("n\($0)") }
        for node in nodes { node.others = nodes.filter { $0 !== node } }
        defer { for node in nodes { node.others = [] } }
        let records = try test.encoder.encode(nodes[0])
        #expect(records.count == 12)
        // A list cannot be cut, so a cycle through a list is an error.
        let error = #expect(throws: CKCodableError.self) {
            try CKRecordDecoder().decode(Node.self, from: records[11], among: records)
        }
        #expect(error?.errorType == .cyclicReference)
    }

    @Test("A long chain of objects is encoded without deep recursion")
    func longChain() throws {
        let first = chain(10_000)
        #expect(try CKRecordEncoder().encode(first).count == 10_000)
        var node: Node? = first
        while let current = node {
            node = current.next
            current.next = nil
        }
    }
}
