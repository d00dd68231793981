import CloudKit

/// An error of encoding or decoding records, with the place in the object where it occurred.
public struct CKCodableError: Error {
    /// The kinds of error.
    public enum ErrorType: String, Sendable {
        /// CloudKit returned an error; see ``CKCodableError/underlyingError``.
        case cloudkitError
        /// CloudKit returned neither a record nor an error.
        case cloudkitInconsistence
        /// The record that a required property refers to does not exist, or is deeper than
        /// ``CKRecordDecoder/maximumDepth``.
        case recordNotFound
        /// A value is missing, or does not have the requested type.
        case typeMismatch
        /// A required property refers to an object that is still being decoded.
        case cyclicReference
        /// An identifier cannot name a record.
        case invalidIdentifier
        /// CloudKit does not accept the record type of an object.
        case invalidRecordType
        /// Two different objects have one identifier.
        case conflictingIdentifier
        /// A record cannot store the value, such as a number that is not finite, or has no field
        /// for it, because CloudKit does not accept the property's name.
        case unsupportedValue
    }

    /// The kind of the error.
    public let errorType: ErrorType
    /// The path from the outermost object to the value at fault.
    public let codingPath: [any CodingKey]
    /// The error from CloudKit, the file system or an object's own coding methods.
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

    /// The details by name: `"path"`, `"reason"` and, if there is an underlying error, `"error"`.
    public var context: [String: Any]? {
        var context: [String: Any] = ["path": path, "reason": reason]
        if let underlyingError { context["error"] = underlyingError }
        return context
    }

    /// The coding path as in code, such as `students[2].name`.
    public var path: String { codingPath.pathDescription }
}

extension CKCodableError: Equatable {
    /// Errors are equal if their types and paths are.
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
    /// Converts an error to this type.
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

    /// The error with a path in front of its own.
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
            if let reference = context.underlyingError as? CKCodableError {
                self = reference
                return
            }
            self.init(
                .typeMismatch, at: context.codingPath, reason: context.debugDescription,
                underlyingError: context.underlyingError ?? error)
        @unknown default:
            self.init(
                .typeMismatch, at: [], reason: String(describing: error), underlyingError: error)
        }
    }
}

extension [any CodingKey] {
    /// The path as in code.
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
