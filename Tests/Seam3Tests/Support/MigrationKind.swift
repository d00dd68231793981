import Testing

/// How a device that is relaunched with another model migrates its store.
enum MigrationKind: CaseIterable {
    /// In place.
    case inferred
    /// By the mapping model that Core Data infers, into another file; in place if it infers none.
    case mapped

    @TaskLocal static var current = inferred
}

/// Runs each test once for each kind of migration.
struct MigrationKinds: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for kind in MigrationKind.allCases {
            try await MigrationKind.$current.withValue(kind) { try await function() }
        }
    }
}

extension Trait where Self == MigrationKinds {
    static var allMigrationKinds: Self { Self() }
}
