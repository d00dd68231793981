import Foundation

/// The lists and values of a JSON body, counted before anything of it is decoded: a body of many tiny
/// values would take a thousand times its size and longer than what it asks for.
///
/// It is no parser: in what is not JSON it counts something, and the decoder refuses it.
struct BodyOutline {
    private struct List {
        var count = 0
        var isFieldValue: Bool
    }

    private let options: WebServiceRouterOptions
    /// The containers that are open; nil for a dictionary.
    private var open: [List?] = []
    private var values = 0
    /// The bytes of the last string, which may be the key of what follows.
    private var lastString = 0..<0
    private let bytes: UnsafeRawBufferPointer

    private static let maximumDepth = 64
    private static let fieldValueKey = Array("value".utf8)

    /// Checks a body.
    ///
    /// - Throws: `LIMIT_EXCEEDED` if it has too many values, or a list of it too many elements.
    static func check(
        _ body: Data, _ options: WebServiceRouterOptions
    ) throws(CloudKitServiceError) {
        let failure = body.withUnsafeBytes { bytes in
            var outline = BodyOutline(options: options, bytes: bytes)
            return outline.failure()
        }
        if let failure { throw CloudKitServiceError(.limitExceeded, reason: failure) }
    }

    private init(options: WebServiceRouterOptions, bytes: UnsafeRawBufferPointer) {
        self.options = options
        self.bytes = bytes
    }

    /// Why the body is refused; nil if it is not.
    private mutating func failure() -> String? {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let start = index + 1
                index = endOfString(from: start)
                lastString = start..<index
                values += 1
            case UInt8(ascii: "["):
                values += 1
                open.append(List(isFieldValue: isKeyOfFieldValue))
            case UInt8(ascii: "{"):
                values += 1
                open.append(nil)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                _ = open.popLast()
            case UInt8(ascii: ","):
                values += 1
                if !open.isEmpty { open[open.count - 1]?.count += 1 }
            default: break
            }
            if let excess { return excess }
            index += 1
        }
        return nil
    }

    private var excess: String? {
        if values > options.maximumValues {
            return "The request has more than \(options.maximumValues) values"
        }
        if open.count > Self.maximumDepth {
            return "The request is nested more than \(Self.maximumDepth) times"
        }
        guard let list = open.last ?? nil, !list.isFieldValue,
            list.count >= options.maximumListElements
        else { return nil }
        return "A list of the request has more than \(options.maximumListElements) elements"
    }

    /// Where a string ends.
    private func endOfString(from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return Swift.min(index, bytes.count)
    }

    private var isKeyOfFieldValue: Bool {
        lastString.count == Self.fieldValueKey.count
            && bytes[lastString].elementsEqual(Self.fieldValueKey)
    }
}
