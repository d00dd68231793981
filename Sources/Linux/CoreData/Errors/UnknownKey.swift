import FoundationGaps

/// Stops the process with Apple's text for a key that an object does not have.
func raiseUnknownKey(_ key: String, of object: AnyObject) -> Never {
    raise(
        .undefinedKey,
        "[<\(type(of: object))> valueForUndefinedKey:]: this class is not key value "
            + "coding-compliant for the key \(key).")
}
