// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

public struct CocoaError: _BridgedStoredNSError {
    public let _nsError: NSError
    public init(_nsError error: NSError) { _nsError = error }
    public static var errorDomain: String { NSCocoaErrorDomain }
    public var filePath: String? { fatalError() }
    public var stringEncoding: String.Encoding? { fatalError() }
    public var underlying: (any Error)? { fatalError() }
    public var url: URL? { fatalError() }
    public static func error(
        _ code: CocoaError.Code, userInfo: [AnyHashable: Any]? = nil, url: URL? = nil
    ) -> any Error { fatalError() }

    public struct Code: RawRepresentable, Hashable, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CocoaError
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
}
extension CocoaError.Code {
    public static var fileNoSuchFile: CocoaError.Code { CocoaError.Code(rawValue: 4) }
    public static var fileLocking: CocoaError.Code { CocoaError.Code(rawValue: 255) }
    public static var fileReadUnknown: CocoaError.Code { CocoaError.Code(rawValue: 256) }
    public static var fileReadNoPermission: CocoaError.Code { CocoaError.Code(rawValue: 257) }
    public static var fileReadInvalidFileName: CocoaError.Code { CocoaError.Code(rawValue: 258) }
    public static var fileReadCorruptFile: CocoaError.Code { CocoaError.Code(rawValue: 259) }
    public static var fileReadNoSuchFile: CocoaError.Code { CocoaError.Code(rawValue: 260) }
    public static var fileReadInapplicableStringEncoding: CocoaError.Code {
        CocoaError.Code(rawValue: 261)
    }
    public static var fileReadUnsupportedScheme: CocoaError.Code { CocoaError.Code(rawValue: 262) }
    public static var fileReadTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 263) }
    public static var fileReadUnknownStringEncoding: CocoaError.Code {
        CocoaError.Code(rawValue: 264)
    }
    public static var fileWriteUnknown: CocoaError.Code { CocoaError.Code(rawValue: 512) }
    public static var fileWriteNoPermission: CocoaError.Code { CocoaError.Code(rawValue: 513) }
    public static var fileWriteInvalidFileName: CocoaError.Code { CocoaError.Code(rawValue: 514) }
    public static var fileWriteFileExists: CocoaError.Code { CocoaError.Code(rawValue: 516) }
    public static var fileWriteInapplicableStringEncoding: CocoaError.Code {
        CocoaError.Code(rawValue: 517)
    }
    public static var fileWriteUnsupportedScheme: CocoaError.Code { CocoaError.Code(rawValue: 518) }
    public static var fileWriteOutOfSpace: CocoaError.Code { CocoaError.Code(rawValue: 640) }
    public static var fileWriteVolumeReadOnly: CocoaError.Code { CocoaError.Code(rawValue: 642) }
    public static var keyValueValidation: CocoaError.Code { CocoaError.Code(rawValue: 1024) }
    public static var formatting: CocoaError.Code { CocoaError.Code(rawValue: 2048) }
    public static var userCancelled: CocoaError.Code { CocoaError.Code(rawValue: 3072) }
    public static var featureUnsupported: CocoaError.Code { CocoaError.Code(rawValue: 3328) }
    public static var executableNotLoadable: CocoaError.Code { CocoaError.Code(rawValue: 3584) }
    public static var propertyListReadCorrupt: CocoaError.Code { CocoaError.Code(rawValue: 3840) }
    public static var propertyListReadUnknownVersion: CocoaError.Code {
        CocoaError.Code(rawValue: 3841)
    }
    public static var propertyListReadStream: CocoaError.Code { CocoaError.Code(rawValue: 3842) }
    public static var propertyListWriteStream: CocoaError.Code { CocoaError.Code(rawValue: 3851) }
    public static var propertyListWriteInvalid: CocoaError.Code { CocoaError.Code(rawValue: 3852) }
    public static var ubiquitousFileUnavailable: CocoaError.Code { CocoaError.Code(rawValue: 4353) }
    public static var ubiquitousFileNotUploadedDueToQuota: CocoaError.Code {
        CocoaError.Code(rawValue: 4354)
    }
    public static var coderReadCorrupt: CocoaError.Code { CocoaError.Code(rawValue: 4864) }
    public static var coderValueNotFound: CocoaError.Code { CocoaError.Code(rawValue: 4865) }
    public static var coderInvalidValue: CocoaError.Code { CocoaError.Code(rawValue: 4866) }
}
extension CocoaError {
    public static var fileNoSuchFile: CocoaError.Code { .fileNoSuchFile }
    public static var fileLocking: CocoaError.Code { .fileLocking }
    public static var fileReadUnknown: CocoaError.Code { .fileReadUnknown }
    public static var fileReadNoPermission: CocoaError.Code { .fileReadNoPermission }
    public static var fileReadInvalidFileName: CocoaError.Code { .fileReadInvalidFileName }
    public static var fileReadCorruptFile: CocoaError.Code { .fileReadCorruptFile }
    public static var fileReadNoSuchFile: CocoaError.Code { .fileReadNoSuchFile }
    public static var fileReadInapplicableStringEncoding: CocoaError.Code {
        .fileReadInapplicableStringEncoding
    }
    public static var fileReadUnsupportedScheme: CocoaError.Code { .fileReadUnsupportedScheme }
    public static var fileReadTooLarge: CocoaError.Code { .fileReadTooLarge }
    public static var fileReadUnknownStringEncoding: CocoaError.Code {
        .fileReadUnknownStringEncoding
    }
    public static var fileWriteUnknown: CocoaError.Code { .fileWriteUnknown }
    public static var fileWriteNoPermission: CocoaError.Code { .fileWriteNoPermission }
    public static var fileWriteInvalidFileName: CocoaError.Code { .fileWriteInvalidFileName }
    public static var fileWriteFileExists: CocoaError.Code { .fileWriteFileExists }
    public static var fileWriteInapplicableStringEncoding: CocoaError.Code {
        .fileWriteInapplicableStringEncoding
    }
    public static var fileWriteUnsupportedScheme: CocoaError.Code { .fileWriteUnsupportedScheme }
    public static var fileWriteOutOfSpace: CocoaError.Code { .fileWriteOutOfSpace }
    public static var fileWriteVolumeReadOnly: CocoaError.Code { .fileWriteVolumeReadOnly }
    public static var keyValueValidation: CocoaError.Code { .keyValueValidation }
    public static var formatting: CocoaError.Code { .formatting }
    public static var userCancelled: CocoaError.Code { .userCancelled }
    public static var featureUnsupported: CocoaError.Code { .featureUnsupported }
    public static var executableNotLoadable: CocoaError.Code { .executableNotLoadable }
    public static var propertyListReadCorrupt: CocoaError.Code { .propertyListReadCorrupt }
    public static var propertyListReadUnknownVersion: CocoaError.Code {
        .propertyListReadUnknownVersion
    }
    public static var propertyListReadStream: CocoaError.Code { .propertyListReadStream }
    public static var propertyListWriteStream: CocoaError.Code { .propertyListWriteStream }
    public static var propertyListWriteInvalid: CocoaError.Code { .propertyListWriteInvalid }
    public static var ubiquitousFileUnavailable: CocoaError.Code { .ubiquitousFileUnavailable }
    public static var ubiquitousFileNotUploadedDueToQuota: CocoaError.Code {
        .ubiquitousFileNotUploadedDueToQuota
    }
    public static var coderReadCorrupt: CocoaError.Code { .coderReadCorrupt }
    public static var coderValueNotFound: CocoaError.Code { .coderValueNotFound }
    public static var coderInvalidValue: CocoaError.Code { .coderInvalidValue }
}

extension CocoaError {
    public var isCoderError: Bool { fatalError() }
    public var isExecutableError: Bool { fatalError() }
    public var isFileError: Bool { fatalError() }
    public var isFormattingError: Bool { fatalError() }
    public var isPropertyListError: Bool { fatalError() }
    public var isUbiquitousFileError: Bool { fatalError() }
    public var isUserActivityError: Bool { fatalError() }
    public var isValidationError: Bool { fatalError() }
    public var isXPCConnectionError: Bool { fatalError() }
}

public struct POSIXError: _BridgedStoredNSError {
    public typealias Code = POSIXErrorCode
    public let _nsError: NSError
    public init(_nsError error: NSError) { _nsError = error }
    public static var errorDomain: String { NSPOSIXErrorDomain }
}
extension POSIXErrorCode: _ErrorCodeProtocol {
    public typealias _ErrorType = POSIXError
}
extension POSIXError {
    public static var EPERM: POSIXErrorCode { .EPERM }
    public static var ENOENT: POSIXErrorCode { .ENOENT }
    public static var ESRCH: POSIXErrorCode { .ESRCH }
    public static var EINTR: POSIXErrorCode { .EINTR }
    public static var EIO: POSIXErrorCode { .EIO }
    public static var ENXIO: POSIXErrorCode { .ENXIO }
    public static var E2BIG: POSIXErrorCode { .E2BIG }
    public static var ENOEXEC: POSIXErrorCode { .ENOEXEC }
    public static var EBADF: POSIXErrorCode { .EBADF }
    public static var ECHILD: POSIXErrorCode { .ECHILD }
    public static var EDEADLK: POSIXErrorCode { .EDEADLK }
    public static var ENOMEM: POSIXErrorCode { .ENOMEM }
    public static var EACCES: POSIXErrorCode { .EACCES }
    public static var EFAULT: POSIXErrorCode { .EFAULT }
    public static var ENOTBLK: POSIXErrorCode { .ENOTBLK }
    public static var EBUSY: POSIXErrorCode { .EBUSY }
    public static var EEXIST: POSIXErrorCode { .EEXIST }
    public static var EXDEV: POSIXErrorCode { .EXDEV }
    public static var ENODEV: POSIXErrorCode { .ENODEV }
    public static var ENOTDIR: POSIXErrorCode { .ENOTDIR }
    public static var EISDIR: POSIXErrorCode { .EISDIR }
    public static var EINVAL: POSIXErrorCode { .EINVAL }
    public static var ENFILE: POSIXErrorCode { .ENFILE }
    public static var EMFILE: POSIXErrorCode { .EMFILE }
    public static var ENOTTY: POSIXErrorCode { .ENOTTY }
    public static var ETXTBSY: POSIXErrorCode { .ETXTBSY }
    public static var EFBIG: POSIXErrorCode { .EFBIG }
    public static var ENOSPC: POSIXErrorCode { .ENOSPC }
    public static var ESPIPE: POSIXErrorCode { .ESPIPE }
    public static var EROFS: POSIXErrorCode { .EROFS }
    public static var EMLINK: POSIXErrorCode { .EMLINK }
    public static var EPIPE: POSIXErrorCode { .EPIPE }
    public static var EDOM: POSIXErrorCode { .EDOM }
    public static var ERANGE: POSIXErrorCode { .ERANGE }
    public static var EAGAIN: POSIXErrorCode { .EAGAIN }
    public static var EINPROGRESS: POSIXErrorCode { .EINPROGRESS }
    public static var EALREADY: POSIXErrorCode { .EALREADY }
    public static var ENOTSOCK: POSIXErrorCode { .ENOTSOCK }
    public static var EDESTADDRREQ: POSIXErrorCode { .EDESTADDRREQ }
    public static var EMSGSIZE: POSIXErrorCode { .EMSGSIZE }
    public static var EPROTOTYPE: POSIXErrorCode { .EPROTOTYPE }
    public static var ENOPROTOOPT: POSIXErrorCode { .ENOPROTOOPT }
    public static var EPROTONOSUPPORT: POSIXErrorCode { .EPROTONOSUPPORT }
    public static var ESOCKTNOSUPPORT: POSIXErrorCode { .ESOCKTNOSUPPORT }
    public static var ENOTSUP: POSIXErrorCode { .ENOTSUP }
    public static var EPFNOSUPPORT: POSIXErrorCode { .EPFNOSUPPORT }
    public static var EAFNOSUPPORT: POSIXErrorCode { .EAFNOSUPPORT }
    public static var EADDRINUSE: POSIXErrorCode { .EADDRINUSE }
    public static var EADDRNOTAVAIL: POSIXErrorCode { .EADDRNOTAVAIL }
    public static var ENETDOWN: POSIXErrorCode { .ENETDOWN }
    public static var ENETUNREACH: POSIXErrorCode { .ENETUNREACH }
    public static var ENETRESET: POSIXErrorCode { .ENETRESET }
    public static var ECONNABORTED: POSIXErrorCode { .ECONNABORTED }
    public static var ECONNRESET: POSIXErrorCode { .ECONNRESET }
    public static var ENOBUFS: POSIXErrorCode { .ENOBUFS }
    public static var EISCONN: POSIXErrorCode { .EISCONN }
    public static var ENOTCONN: POSIXErrorCode { .ENOTCONN }
    public static var ESHUTDOWN: POSIXErrorCode { .ESHUTDOWN }
    public static var ETOOMANYREFS: POSIXErrorCode { .ETOOMANYREFS }
    public static var ETIMEDOUT: POSIXErrorCode { .ETIMEDOUT }
    public static var ECONNREFUSED: POSIXErrorCode { .ECONNREFUSED }
    public static var ELOOP: POSIXErrorCode { .ELOOP }
    public static var ENAMETOOLONG: POSIXErrorCode { .ENAMETOOLONG }
    public static var EHOSTDOWN: POSIXErrorCode { .EHOSTDOWN }
    public static var EHOSTUNREACH: POSIXErrorCode { .EHOSTUNREACH }
    public static var ENOTEMPTY: POSIXErrorCode { .ENOTEMPTY }
    public static var EPROCLIM: POSIXErrorCode { .EPROCLIM }
    public static var EUSERS: POSIXErrorCode { .EUSERS }
    public static var EDQUOT: POSIXErrorCode { .EDQUOT }
    public static var ESTALE: POSIXErrorCode { .ESTALE }
}
