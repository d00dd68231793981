// error: has non-Sendable type 'NSPersistentHistoryToken'
// language-mode: 6
import CoreData

struct Message: Sendable { let token: NSPersistentHistoryToken }
