import FoundationGaps

/// The results of a fetch, in the array from the store.
///
/// Boxing each result of a large fetch and casting it back would take longer than creating an ID.
struct ResultArray {
    private let array: Any

    /// The store's result; nil if it is not an array.
    init?(returned array: Any) {
        if _exactly(array, [NSManagedObject].self) != nil
            || _exactly(array, [NSManagedObjectID].self) != nil
        {
            self.array = array
        } else if let results = array as? [Any] {
            self.array = results
        } else if let results = array as? NSArray {
            self.array = (0..<results.count).map { results[$0] }
        } else {
            return nil
        }
    }

    init(_ results: [Any]) { array = results }
    init(_ objects: [NSManagedObject]) { array = objects }
    init(_ objectIDs: [NSManagedObjectID]) { array = objectIDs }

    /// The results as values of any type.
    var results: [Any] {
        if let results = _exactly(array, [Any].self) { return results }
        if let objects = _exactly(array, [NSManagedObject].self) { return objects }
        return _exactly(array, [NSManagedObjectID].self) ?? []
    }

    /// The results that are objects.
    var objects: [NSManagedObject] {
        _exactly(array, [NSManagedObject].self) ?? results.compactMap { $0 as? NSManagedObject }
    }

    /// The results as values of a type. A result of another type stops the process.
    func typed<Result>(_ type: Result.Type) -> [Result] {
        if let results = _exactly(array, [Result].self) { return results }
        if let objects = _exactly(array, [NSManagedObject].self) {
            return objects.map { Self.result($0, as: type) }
        }
        return results.map { Self.result($0, as: type) }
    }

    private static func result<Result>(_ result: Any, as type: Result.Type) -> Result {
        guard let result = _exactly(result, type) ?? result as? Result else {
            raise(
                .invalidArgument,
                "A fetch of \(type) returned a value of type \(Swift.type(of: result)).")
        }
        return result
    }
}
