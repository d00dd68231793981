import CloudKitService

extension ItemResult {
    /// The outcome of an item as the blocks of operations report it.
    func result<Value>(_ transform: (Item) -> Value) -> Result<Value, any Error> {
        switch self {
        case .success(let item): .success(transform(item))
        case .failure(let error): .failure(CKError(error))
        }
    }
}
