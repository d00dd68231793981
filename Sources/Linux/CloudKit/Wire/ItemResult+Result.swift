import CloudKitService

extension ItemResult {
    /// The result of an item in the form in which operations report it.
    func result<Value>(_ transform: (Item) -> Value) -> Result<Value, any Error> {
        switch self {
        case .success(let item): .success(transform(item))
        case .failure(let error): .failure(CKError(error))
        }
    }
}
