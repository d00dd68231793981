import CloudKit
import LocalCloud
import NestedCloudKitCodable
import Testing

private final class Node: CKCodable {
    var cloudKitRecordType: String { "Node" }
    var cloudKitIdentifier: String { name }
    var name: String
    var next: Node?
    var others: [Node] = []

    init(_ name: String) { self.name = name }
}

/// An object that must have the one it refers to.
private struct Strict: CKDecodable {
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
    /// Nodes in a row.
    private func chain(_ count: Int) -> Node {
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

    @Test("An object that is referred to twice is one instance again")
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

    @Test("Objects that all refer to each other are decoded in no time")
    func clique() async throws {
        let test = try await TestCloud()
        let nodes = (0..<12).map { Node("n\($0)") }
        for node in nodes { node.others = nodes.filter { $0 !== node } }
        defer { for node in nodes { node.others = [] } }
        let records = try test.encoder.encode(nodes[0])
        #expect(records.count == 12)
        // Lists cannot be cut, so a list that leads back is an error.
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

    @Test("A hundred objects within each other are decoded")
    func deepest() async throws {
        let test = try await TestCloud()
        try await test.save(chain(110))
        let copy = try await test.load(Node.self, "n0")
        #expect(sequence(first: copy, next: \.next).reduce(0) { count, _ in count + 1 } == 101)
    }

    @Test("Beyond the depth an optional property is nil", arguments: [0, 1, 3])
    func depth(_ depth: Int) async throws {
        let test = try await TestCloud()
        try await test.save(chain(6))
        let decoder = CKRecordDecoder()
        decoder.maximumDepth = depth
        let copy = try await decoder.decode(
            Node.self, from: test.record("n0"), referenceDatabase: test.otherDatabase)
        #expect(
            sequence(first: copy, next: \.next).reduce(0) { count, _ in count + 1 } == depth + 1)
    }

    @Test("Beyond the depth a property that is not optional is an error")
    func strictDepth() async throws {
        let test = try await TestCloud()
        try await test.save(chain(3))
        let decoder = CKRecordDecoder()
        decoder.maximumDepth = 1
        let error = await #expect(throws: CKCodableError.self) {
            try await decoder.decode(
                Strict.self, from: test.record("n0"), referenceDatabase: test.otherDatabase)
        }
        #expect(error?.errorType == .recordNotFound)
        #expect(error?.path == "next.next")
    }

    @Test("A reference to a deleted record is nil where it may be, and else an error")
    func dangling() async throws {
        let test = try await TestCloud()
        try await test.save(chain(2))
        let deleted = CKRecord.ID(recordName: "n1", zoneID: test.zoneID)
        _ = try await test.database.deleteRecord(withID: deleted)
        #expect(try await test.load(Node.self, "n0").next == nil)
        let error = await #expect(throws: CKCodableError.self) {
            try await test.load(Strict.self, "n0")
        }
        #expect(error?.errorType == .recordNotFound)
        #expect(error?.path == "next")
    }

    @Test("A level of objects is fetched in batches, not record by record")
    func batches() async throws {
        let test = try await TestCloud()
        let root = Node("root")
        root.others = (0..<900).map { Node("n\($0)") }
        try await test.save(root)
        let record = try await test.record("root")
        let count = test.cloud.faults.add(
            .call(.beforeCommit, { _ in }), for: .kind(.lookUpRecords),
            occurrences: .always)
        let copy = try await CKRecordDecoder().decode(
            Node.self, from: record, referenceDatabase: test.otherDatabase)
        #expect(copy.others.count == 900)
        #expect(test.cloud.faults.matchCount(of: count) == 3)
    }

    @Test("A batch that is too large for the server is halved")
    func smallerBatches() async throws {
        let test = try await TestCloud()
        let root = Node("root")
        root.others = (0..<10).map { Node("n\($0)") }
        try await test.save(root)
        let record = try await test.record("root")
        test.cloud.faults.add(
            .fail(.limitExceeded), for: .kind(.lookUpRecords), occurrences: .next(2))
        let copy = try await CKRecordDecoder().decode(
            Node.self, from: record, referenceDatabase: test.otherDatabase)
        #expect(copy.others.map(\.name) == (0..<10).map { "n\($0)" })
    }
}
