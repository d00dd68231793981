import CloudKitService
import Testing

@testable import LocalCloud

@Suite("References")
struct ReferenceTests {
    @Test("Deleting a target deletes what refers to it with deleteSelf, to any depth")
    func cascade() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("root"), create("child", ["f": reference("root", .deleteSelf)]),
            create("grandchild", ["g": .list([reference("child", .deleteSelf)])]),
            create("friend", ["f": reference("root")]),
        ])
        let token = try await test.changes().syncToken
        let results = try await test.modify([remove("root")])
        #expect(results.map(\.item?.recordName) == ["root"])
        let changes = try await test.changes(since: token).records
        #expect(changes.map(\.recordName).sorted() == ["child", "grandchild", "root"])
        #expect(changes.allSatisfy { $0.deleted == true && $0.recordType == "T" })
        #expect(try await test.lookUp("friend") != nil)
    }

    @Test("A cycle of deleteSelf references is deleted once")
    func cycle() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("a", ["f": reference("b", .deleteSelf)]),
            create("b", ["f": reference("a", .deleteSelf)]),
        ])
        try await test.modify(remove("a"))
        #expect(try await test.changes().records.isEmpty)
    }

    @Test("A reference that was cleared does not cascade")
    func clearedReference() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("a"), create("b", ["f": reference("a", .deleteSelf)]),
        ])
        try await test.modify(RecordOperation(.forceUpdate, record("b", ["f": nil])))
        try await test.modify(remove("a"))
        #expect(try await test.lookUp("b") != nil)
    }

    @Test("A reference without action may dangle")
    func danglingReference() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": reference("missing")]))
        #expect(try await test.lookUp("r")?.fields["f"]?.value == reference("missing"))
    }

    @Test(
        "A deleteSelf reference to a missing record is refused only in strict mode",
        arguments: [true, false])
    func deleteSelfToMissing(isStrict: Bool) async throws {
        var options = LocalCloudOptions()
        options.validatesDeletingReferences = isStrict
        let test = try await TestCloud(options: options)
        let results = try await test.modify([
            create("r", ["f": reference("missing", .deleteSelf)])
        ])
        #expect(
            results.first?.error?.serverErrorCode == (isStrict ? .validatingReferenceError : nil))
    }

    @Test("A parent must exist")
    func missingParent() async throws {
        let test = try await TestCloud()
        let error = try await test.failure(
            of: RecordOperation(.create, record("c", parent: "p")))
        #expect(error.serverErrorCode == .validatingReferenceError)
        #expect(try await test.lookUp("c") == nil)
    }

    @Test("A child may precede its parent in one request")
    func childBeforeParent() async throws {
        let test = try await TestCloud()
        let results = try await test.modify([
            RecordOperation(.create, record("c", parent: "p")), create("p"),
        ])
        #expect(results.allSatisfy { $0.error == nil })
        #expect(try await test.lookUp("c")?.parent?.recordName == "p")
    }

    @Test("A parent with children cannot be deleted")
    func deleteParent() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("p"), RecordOperation(.create, record("c", parent: "p")),
        ])
        let error = try await test.failure(of: remove("p"))
        #expect(error.serverErrorCode == .validatingReferenceError)
        #expect(try await test.lookUp("p") != nil)
    }

    @Test("A parent can be deleted before its children in one request")
    func deleteParentWithChildren() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("p"), RecordOperation(.create, record("c", parent: "p")),
        ])
        let results = try await test.modify([remove("p"), remove("c")])
        #expect(results.allSatisfy { $0.error == nil })
    }

    @Test("Without atomicity a chain of children of a failed parent fails, and the rest is saved")
    func failingChain() async throws {
        let test = try await TestCloud()
        try await test.modify(create("taken"))
        let results = try await test.modify(
            [
                RecordOperation(.create, record("grandchild", parent: "child")),
                RecordOperation(.create, record("child", parent: "missing")),
                create("other"),
            ], atomic: false)
        #expect(
            results.map(\.error?.serverErrorCode)
                == [.validatingReferenceError, .validatingReferenceError, nil])
        #expect(try await test.lookUp("other") != nil)
    }

    @Test("A save keeps the parent unless it sets another one")
    func keepsParent() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([
            create("p"), RecordOperation(.create, record("c", parent: "p")),
        ])
        let kept = try await test.modify(RecordOperation(.forceUpdate, record("c")))
        #expect(kept.parent?.recordName == "p")
        var orphan = record("c")
        orphan.isParentChanged = true
        let cleared = try await test.modify(RecordOperation(.forceUpdate, orphan))
        #expect(cleared.parent == nil)
        try await test.modify(remove("p"))
    }

    @Test("A reference into another zone is refused")
    func crossZoneReference() async throws {
        let test = try await TestCloud()
        let value = FieldValue.reference(
            ReferenceDictionary(recordName: "x", zoneID: ZoneIDDictionary(zoneName: "Other")))
        let error = try await test.failure(of: create("r", ["f": value]))
        #expect(error.serverErrorCode == .badRequest)
    }

    @Test("Deleting a missing record succeeds, but not in a missing zone")
    func deleteMissing() async throws {
        let test = try await TestCloud()
        let deleted = try await test.modify(remove("missing"))
        #expect(deleted.deleted == true)
        let error = try await test.failure(of: remove("missing"), zone: "Missing")
        #expect(error.serverErrorCode == .zoneNotFound)
    }
}
