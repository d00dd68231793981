/// A record, or the name of a deleted one, that the server has told.
enum ServerChange {
    case record(ServerRecord)
    case deletion(String)

    var recordName: String {
        switch self {
        case .record(let record): return record.recordName
        case .deletion(let name): return name
        }
    }

    /// Where changes come from.
    enum Source {
        /// The change feed, or what is known from it.
        ///
        /// `isComplete`: Whether everything that the server has is here once they are applied, so that contested
        /// relationships can be decided.
        case feed(isComplete: Bool)
        /// The responses to a request whose records are in conflict.
        case conflicts
        /// A request for records that were set aside. Those that are still to be applied are known to be missing.
        case names

        /// Whether the records are certainly the present versions.
        var hasPresentVersions: Bool {
            if case .feed = self { return false }
            return true
        }

        /// Whether contests can be decided after some of the changes, as far as the owners' records are here.
        ///
        /// - Parameter isLast: Whether these were the last ones.
        func isComplete(isLast: Bool) -> Bool {
            switch self {
            case .feed(let isComplete): return isComplete && isLast
            case .conflicts: return false
            case .names: return true
            }
        }
    }
}
