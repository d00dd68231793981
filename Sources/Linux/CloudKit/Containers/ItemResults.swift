// Methods for one item derive their result from that of the methods for several items.

extension Dictionary {
    /// The value of the only item, or its error.
    func item<Item>(_ key: Key) throws -> Item where Value == Result<Item, any Error> {
        guard let result = self[key] else {
            throw CKError(.internalError, "There was no result for \(key)")
        }
        return try result.get()
    }
}

extension Result where Failure == any Error {
    /// Passes the value of the only item, or its error, or the error of the whole request, to a
    /// completion handler.
    func item<Key, Item>(
        _ key: Key, _ completionHandler: (Item?, (any Error)?) -> Void
    ) where Success == [Key: Result<Item, any Error>] {
        do {
            completionHandler(try get().item(key), nil)
        } catch {
            completionHandler(nil, error)
        }
    }

    /// Passes the value or the error to a completion handler.
    func complete(_ completionHandler: (Success?, (any Error)?) -> Void) {
        switch self {
        case .success(let value): completionHandler(value, nil)
        case .failure(let error): completionHandler(nil, error)
        }
    }
}
