// error: cannot convert
import CloudKit

func records(_ database: CKDatabase, _ names: [CKRecord.ID]) async throws -> [CKRecord] {
    try await database.records(for: names)
}
