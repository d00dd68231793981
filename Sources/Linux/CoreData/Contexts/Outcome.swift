/// What a block returned or threw, on its way to the caller.
///
/// Unchecked because it is passed on once, and Apple's signatures do not ask for more.
struct Outcome<Value>: @unchecked Sendable {
    let result: Result<Value, any Error>

    /// - Parameter rescue: Throws the error, or returns a value instead.
    func value(rescue: (any Error) throws -> Value) rethrows -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        }
    }
}
