import CloudKit

/// What went wrong when an object was made into records or back, and where in the object.
public struct CKCodableError: Error {
    /// The kinds of error.
    public enum ErrorType: String, Sendable {
        /// CloudKit answered with an error; it is the ``CKCodableError/underlyingError``.
        case cloudkitError
        /// CloudKit gave neither a record nor an error.
        case cloudkitInconsistence
        /// A record that a required property refers to does not exist, or lies deeper than the
        /// decoder may follow references.
        case recordNotFound
        /// A value is not of the type that was asked for, or is missing.
        case typeMismatch
        /// A required property leads back to an object that is still being decoded.
        case cyclicReference
        /// An identifier cannot name a record.
        case invalidIdentifier
        /// Two different objects have one identifier.
        case conflictingIdentifier
        /// A record cannot hold the value, such as a number that is not finite.
        case unsupportedValue
    }

    /// The kind of the error.
    public let errorType: ErrorType
    /// The way from the outermost object to the value at fault.
    public let codingPath: [any CodingKey]
    /// The error that CloudKit, the file system or an object's own coding gave.
    public let underlyingError: (any Error)?
    /// What is wrong with the value.
    public let reason: String

    init(
        _ errorType: ErrorType, at codingPath: [any CodingKey], reason: String,
        underlyingError: (any Error)? = nil
    ) {
        self.errorType = errorType
        self.codingPath = codingPath
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// The details by name: `"path"`, `"reason"` and, if there is one, `"error"`.
    public var context: [String: Any]? {
        var context: [String: Any] = ["path": path, "reason": reason]
        if let underlyingError { context["error"] = underlyingError }
        return context
    }

    /// The coding path as one would write it in code, such as `students[2].name`.
    public var path: String { codingPath.pathDescription }
}

extension CKCodableError: Equatable {
    /// Errors are equal if kind and place are.
    public static func == (left: CKCodableError, right: CKCodableError) -> Bool {
        left.errorType == right.errorType && left.path == right.path
    }
}

extension CKCodableError: CustomStringConvertible, LocalizedError {
    /// The path, if there is one, and the reason.
    public var description: String {
        path.isEmpty ? reason : "\(path): \(reason)"
    }

    /// The same as the description.
    public var errorDescription: String? { description }
}

extension CKCodableError {
    /// The error as one of this type: itself, or what a coding error means.
    static func wrapping(_ error: any Error, at path: [any CodingKey] = []) -> CKCodableError {
        switch error {
        case let error as CKCodableError:
            return error
        case let error as DecodingError:
            return CKCodableError(decoding: error)
        case EncodingError.invalidValue(_, let context):
            return CKCodableError(
                .unsupportedValue, at: context.codingPath, reason: context.debugDescription,
                underlyingError: error)
        case let error as CKError:
            return CKCodableError(
                .cloudkitError, at: path, reason: error.localizedDescription,
                underlyingError: error)
        default:
            return CKCodableError(
                .typeMismatch, at: path, reason: String(describing: error), underlyingError: error)
        }
    }

    /// The error as it is seen from further out.
    func within(_ path: [any CodingKey]) -> CKCodableError {
        CKCodableError(
            errorType, at: path + codingPath, reason: reason, underlyingError: underlyingError)
    }

    private init(decoding error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(
                .typeMismatch, at: context.codingPath + [key], reason: "There is no value.",
                underlyingError: error)
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            self.init(
                .typeMismatch, at: context.codingPath, reason: context.debugDescription,
                underlyingError: error)
        @unknown default:
            self.init(
                .typeMismatch, at: [], reason: String(describing: error), underlyingError: error)
        }
    }
}

extension [any CodingKey] {
    /// The path as one would write it in code.
    var pathDescription: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
