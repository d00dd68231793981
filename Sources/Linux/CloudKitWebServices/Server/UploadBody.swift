import Foundation
import PrivateFiles

/// The bytes of an asset as a file. The body of the request is either the bytes themselves or a
/// form with one part.
struct UploadBody {
    /// The file with the bytes.
    let file: URL
    private let isCopy: Bool

    /// RFC 2046 allows no more. Finding a long one takes as many times as long.
    private static let maximumBoundarySize = 70

    /// - Parameters:
    ///   - request: The request.
    ///   - directory: The directory for the file, if the request's body is not a file.
    ///   - limit: The maximum size of an asset in bytes.
    init(
        _ request: WebServiceRequest, directory: URL, limit: Int64
    ) throws(CloudKitServiceError) {
        let data: Data
        let boundary = Self.boundary(in: request.headers["content-type"] ?? "")
        switch (request.body, boundary) {
        case (.file(let url), nil):
            file = url
            isCopy = false
            return
        case (.data(let bytes), nil):
            data = bytes
        case (let body, let boundary?):
            let whole = try Self.bytes(of: body)
            guard boundary.utf8.count <= Self.maximumBoundarySize else {
                throw CloudKitServiceError(.badRequest, reason: "The form's boundary is too long")
            }
            guard let part = Self.part(of: whole, boundary: boundary) else {
                throw CloudKitServiceError(.badRequest, reason: "The form contains no file")
            }
            data = part
        }
        guard data.count <= limit else {
            throw CloudKitServiceError(.limitExceeded, reason: "The asset is too large")
        }
        file = directory.appendingPathComponent(UUID().uuidString)
        isCopy = true
        do {
            try PrivateFile.write(data, to: file)
        } catch {
            throw CloudKitServiceError(.internalError, reason: "The asset cannot be stored")
        }
    }

    /// Removes the file unless it belongs to the request.
    func removeCopy() {
        // If this fails, the file stays in the temporary directory and does no harm.
        if isCopy { try? FileManager.default.removeItem(at: file) }
    }

    private static func bytes(
        of body: WebServiceRequest.Body
    ) throws(CloudKitServiceError) -> Data {
        switch body {
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url, options: .alwaysMapped)
            } catch {
                throw CloudKitServiceError(.internalError, reason: "The upload cannot be read")
            }
        }
    }

    /// The boundary of a form's parts; nil if the content is not a form.
    private static func boundary(in contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/") else { return nil }
        let parameters = contentType.split(separator: ";").dropFirst().map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let mark = "boundary="
        let parameter = parameters.first { $0.lowercased().hasPrefix(mark) }
        return parameter.map {
            $0.dropFirst(mark.count).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
    }

    /// The content of the first part of a form.
    private static func part(of form: Data, boundary: String) -> Data? {
        let (mark, line) = (Data("--\(boundary)".utf8), Data("\r\n--\(boundary)".utf8))
        guard !boundary.isEmpty else { return nil }
        let start =
            form.starts(with: mark)
            ? form.startIndex + mark.count
            : form.lineBreak(of: line, from: form.startIndex).map { $0 + line.count }
        guard let start,
            let header = form.range(of: Data("\r\n\r\n".utf8), in: start..<form.endIndex),
            let end = form.lineBreak(of: line, from: header.upperBound - 2)
        else { return nil }
        return form[header.upperBound..<max(header.upperBound, end)]
    }
}

extension Data {
    /// Where a line break with some text after it is first found. Because the text has no other line break,
    /// no byte is compared twice, whatever a client sends.
    fileprivate func lineBreak(of line: Data, from start: Index) -> Index? {
        let offset = withUnsafeBytes { bytes in
            line.withUnsafeBytes { line in
                Self.offset(of: line, in: bytes, from: start - startIndex)
            }
        }
        return offset.map { startIndex + $0 }
    }

    private static func offset(
        of line: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard let base = bytes.baseAddress, let text = line.baseAddress else { return nil }
        var offset = start
        while offset + line.count <= bytes.count {
            guard let found = memchr(base + offset, 0x0d, bytes.count - offset) else { return nil }
            offset = UnsafeRawPointer(found) - base
            guard offset + line.count <= bytes.count else { return nil }
            if memcmp(found, text, line.count) == 0 { return offset }
            offset += 1
        }
        return nil
    }
}
