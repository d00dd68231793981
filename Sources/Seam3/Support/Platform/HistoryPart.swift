import CoreData

/// The part of a store's history that a request is about.
enum HistoryPart {
    case after(NSPersistentHistoryToken?)
    case afterDate(Date)
    /// History that is older than a token is deleted.
    case beforeToken(NSPersistentHistoryToken?)
    /// History that is older than a date is deleted.
    case beforeDate(Date)
}

extension NSPersistentHistoryChangeRequest {
    #if canImport(ObjectiveC)
    /// Core Data gives other stores only the token of a request. Whatever the request is, its
    /// result is the history after the token, and nothing is deleted (SM-17).
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
