/// Casts between `CKError` and `NSError`, as on Apple's systems, where the compiler knows them.
///
/// `any Error as? NSError` and the values of `[CKRecord.ID: NSError]` depend on it, because a value that is
/// in a user info has no static type.
extension CKError: _ObjectiveCBridgeable {
    /// Linux-only: the error as Foundation's class.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Linux-only: an error that is known to be one of CloudKit's.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
        result = CKError(_nsError: source)
    }

    /// Linux-only: an error, if it has CloudKit's domain.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout CKError?
    ) -> Bool {
        guard source.domain == CKErrorDomain else { return false }
        result = CKError(_nsError: source)
        return true
    }

    /// Linux-only: an error that a method's type promises.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
        guard let source else { return CKError(.internalError) }
        return CKError(_nsError: source)
    }
}
