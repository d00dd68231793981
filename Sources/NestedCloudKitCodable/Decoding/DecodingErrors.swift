extension DecodingError {
    /// The error for a value of another kind than expected, or for no value at all.
    static func mismatch(
        _ type: Any.Type, expected: String, found value: StoredValue, description: String? = nil,
        at codingPath: [any CodingKey]
    ) -> DecodingError {
        let found = description ?? value.kindDescription
        let context = Context(
            codingPath: codingPath, debugDescription: "Expected \(expected), found \(found).")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a record where a value that is no object is expected.
    static func record(
        insteadOf type: Any.Type, expected: String, at codingPath: [any CodingKey]
    ) -> DecodingError {
        .typeMismatch(
            type,
            Context(
                codingPath: codingPath, debugDescription: "Expected \(expected), found a record."))
    }

    /// The error for an object whose record is not available. A value is all that is missing for
    /// the object's own code; the outermost error has the given type.
    static func unavailable(
        _ type: Any.Type, _ errorType: CKCodableError.ErrorType, at codingPath: [any CodingKey],
        reason: String
    ) -> DecodingError {
        .valueNotFound(
            type,
            Context(
                codingPath: codingPath, debugDescription: reason,
                underlyingError: CKCodableError(errorType, at: codingPath, reason: reason)))
    }
}
