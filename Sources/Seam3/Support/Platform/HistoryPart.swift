import CoreData

/// Which part of a store's history a request means.
enum HistoryPart {
    case after(NSPersistentHistoryToken?)
    case afterDate(Date)
    /// What is older than a token is to be forgotten.
    case beforeToken(NSPersistentHistoryToken?)
    /// What is older than a time is to be forgotten.
    case beforeDate(Date)
}

extension NSPersistentHistoryChangeRequest {
    #if canImport(ObjectiveC)
    /// Core Data tells other stores than its own no more than the token: whatever a request asks, it
    /// gets the history after it, and nothing is forgotten.
    var part: HistoryPart { .after(token) }
    #else
    var part: HistoryPart {
        switch _range {
        case .afterDate(let date): return .afterDate(date)
        case .afterToken(let token): return .after(token)
        case .afterTransaction(let transaction): return .after(transaction?.token)
        case .fetch: return .after(nil)
        case .beforeDate(let date): return .beforeDate(date)
        case .beforeToken(let token): return .beforeToken(token)
        case .beforeTransaction(let transaction): return .beforeToken(transaction?.token)
        }
    }
    #endif
}
