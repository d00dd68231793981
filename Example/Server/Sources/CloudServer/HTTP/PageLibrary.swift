import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// The templates of the pages, and the files that they use.
struct PageLibrary: Sendable {
    private let templates: MustacheLibrary
    private let files: [String: Data]

    /// Reads the files of the bundle.
    ///
    /// - Throws: An error of the file system, or of a template.
    init() throws {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Pages", isDirectory: true)
        MustacheContentTypes.register(ScalarEscaping(), named: ScalarEscaping.name)
        var templates = MustacheLibrary()
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        {
            let data = try Data(contentsOf: file)
            if file.pathExtension == "mustache" {
                try templates.register(
                    "{{% CONTENT_TYPE:\(ScalarEscaping.name)}}"
                        + String(decoding: data, as: UTF8.self),
                    named: file.deletingPathExtension().lastPathComponent)
            } else {
                files[file.lastPathComponent] = data
            }
        }
        self.templates = templates
        self.files = files
    }

    /// A page. Every value in it is escaped; no template leaves one as it is.
    func page(
        _ template: String, _ content: [String: Any], status: HTTPResponse.Status = .ok
    ) throws -> Response {
        guard let text = templates.render(content, withTemplate: template) else {
            throw HTTPError(.internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// A style sheet or a script.
    func file(_ name: String) throws -> Response {
        guard let data = files[name] else { throw HTTPError(.notFound) }
        let type = name.hasSuffix(".css") ? "text/css" : "text/javascript"
        return Response(
            status: .ok,
            headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}

/// Escapes the characters that mean something in HTML wherever they are.
///
/// Mustache's own way compares whole characters of Swift, and a quotation mark with an accent on it is
/// another character, which ends an attribute all the same.
private struct ScalarEscaping: MustacheContentType {
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\"", "'":
                escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            case "\0":
                escaped.append("\u{FFFD}")
            default:
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
