import CoreData
import Testing

/// The contents of conflicts, as Apple's headers describe them.
@Suite struct ConflictContractTests {
    private static func clock() throws -> (clock: Clock, stack: TestStack) {
        let stack = try TestStack()
        let clock = stack.insertClock("noon")
        try stack.context.save()
        return (clock, stack)
    }

    @Test("A persisted snapshot comes with a cached one")
    func persistedAlone() async {
        await #expect(processExitsWith: .failure) {
            let (clock, _) = try Self.clock()
            _ = NSMergeConflict(
                source: clock, newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
                persistedSnapshot: [:])
        }
    }

    @Test("A deleted object has no snapshot")
    func deleted() async {
        await #expect(processExitsWith: .failure) {
            let (clock, _) = try Self.clock()
            _ = NSMergeConflict(
                source: clock, newVersion: 0, oldVersion: 1, cachedSnapshot: [:],
                persistedSnapshot: nil)
        }
    }

    @Test("A constraint conflict has an object")
    func noObject() async {
        await #expect(processExitsWith: .failure) {
            _ = NSConstraintConflict(
                constraint: ["label"], database: nil, databaseSnapshot: nil, conflicting: [],
                conflictingSnapshots: [])
        }
    }

    @Test("A constraint conflict has a snapshot for each object")
    func fewSnapshots() async {
        await #expect(processExitsWith: .failure) {
            let (clock, _) = try Self.clock()
            _ = NSConstraintConflict(
                constraint: ["label"], database: nil, databaseSnapshot: nil,
                conflicting: [clock], conflictingSnapshots: [])
        }
    }

    @Test("A snapshot is full")
    func partialSnapshot() async {
        await #expect(processExitsWith: .failure) {
            let (clock, _) = try Self.clock()
            _ = NSConstraintConflict(
                constraint: ["label"], database: nil, databaseSnapshot: nil,
                conflicting: [clock], conflictingSnapshots: [["label": "noon"]])
        }
    }

    @Test("A database object comes with its snapshot")
    func databaseWithoutSnapshot() async {
        await #expect(processExitsWith: .failure) {
            let (clock, _) = try Self.clock()
            _ = NSConstraintConflict(
                constraint: ["label"], database: clock, databaseSnapshot: nil,
                conflicting: [clock], conflictingSnapshots: [NSNull()])
        }
    }

    @Test("Full snapshots and NSNull are accepted")
    func full() throws {
        let (clock, stack) = try Self.clock()
        let twin = stack.insertClock("noon")
        let conflict = NSConstraintConflict(
            constraint: ["label"], database: clock, databaseSnapshot: clock.fullSnapshot(),
            conflicting: [twin, twin], conflictingSnapshots: [twin.fullSnapshot(), NSNull()])
        #expect(conflict.conflictingSnapshots.map(\.isEmpty) == [false, true])
    }
}
