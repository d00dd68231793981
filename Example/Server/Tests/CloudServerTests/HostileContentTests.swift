import CloudKit
import CloudServer
import Foundation
import Testing

/// What clients name their things and put into them, on the console's pages.
@Suite("Hostile content", .timeLimit(.minutes(2)))
struct HostileContentTests {
    @Test("A picture is shown, and anything else is only to be kept")
    func pictures() async throws {
        let png = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
        let page = Data("<script>alert(1)</script>".utf8)
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let database = try await running.device("d").privateCloudDatabase
            let client = try await ConsoleClient.open(running)
            for (name, bytes) in [("png", png), ("page", page), ("svg", svg)] {
                let file = running.folder.appendingPathComponent(name)
                try bytes.write(to: file)
                let record = CKRecord(recordType: "P", recordID: CKRecord.ID(recordName: name))
                record["photo"] = CKAsset(fileURL: file)
                try await database.save(record)
                let target =
                    "/console/asset?\(ConsoleTests.place)&record=\(name)&field=photo&index=0"
                let kept = try await client.get(target)
                #expect(kept.body == bytes)
                #expect(kept.headers["content-type"] == "application/octet-stream")
                #expect(kept.headers["content-disposition"] == "attachment")
                let shown = try await client.get(target + "&picture=1")
                #expect(shown.status == (name == "png" ? 200 : 415))
                #expect(!shown.text.contains("alert(1)"))
                if name == "png" { #expect(shown.headers["content-type"] == "image/png") }
                for reply in [kept, shown] {
                    #expect(reply.headers["x-content-type-options"] == "nosniff")
                }
            }
        }
    }

    @Test("Whatever clients name their things, the pages stay as they are")
    func escapes() async throws {
        let texts = [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
            "' onmouseover='alert(1)",
            "\"\u{301} onfocus=alert(1) autofocus x=\"", "<\u{338}script>", "{{form}}",
            "</title><b>",
            "javascript:alert(1)", "&lt;", "\u{202e}abc",
        ]
        try await RunningServer.run({
            $1.opensConsoleOnLoopback = true
            $1.signIn = .anybody
        }) { running in
            let client = try await ConsoleClient.open(running)
            for text in texts {
                // Users, devices and values can be anything; other names have ASCII only.
                let user = "u" + text
                let name = "n" + String(text.unicodeScalars.filter(\.isASCII))
                let database = try await running.device(text, user: user).privateCloudDatabase
                let zone = try await database.save(CKRecordZone(zoneName: name))
                let record = CKRecord(
                    recordType: "Note",
                    recordID: CKRecord.ID(recordName: name, zoneID: zone.zoneID))
                record["text"] = text
                record["list"] = [text]
                record["other"] = CKRecord.Reference(
                    recordID: CKRecord.ID(recordName: name + "o", zoneID: zone.zoneID),
                    action: .none)
                try await database.save(record)
                let place =
                    "container=\(RunningServer.container)&environment=development&scope=private"
                    + "&user=\(encoded(user))&zone=\(encoded(name))&type=Note"
                for page in ConsoleTests.pages
                where page != "/console/asset" && !page.hasSuffix("rows") {
                    let reply = try await client.get(
                        "\(page)?\(place)&record=\(encoded(name))&field=text&value="
                            + "\(encoded(text))&note=\(encoded(text))&sort=text")
                    #expect(reply.status == 200, "\(page) \(text)")
                    checkMarkup(of: reply.text, "\(page) \(text)")
                    if page == "/console/record" {
                        #expect(unescaped(reply.text).contains(text), "\(text)")
                    }
                }
            }
        }
    }

    /// Reads a page as a browser does, scalar by scalar, and compares its elements and attributes with those
    /// that the templates have.
    private func checkMarkup(of page: String, _ place: String) {
        var elements: Set<String> = []
        var attributes: Set<String> = []
        // A regular expression on scalars, since an accent on a quotation mark does not keep it from
        // ending an attribute.
        let tag = /<([a-zA-Z][^\s>\/]*)((?:[^>"]|"[^"]*")*)>/.matchingSemantics(.unicodeScalar)
        let attribute = /\s([^\s="]+)(?:="[^"]*")?/.matchingSemantics(.unicodeScalar)
        for match in page.matches(of: tag) {
            elements.insert(match.1.lowercased())
            attributes.formUnion(match.2.matches(of: attribute).map { $0.1.lowercased() })
        }
        let knownElements: Set = [
            "html", "head", "meta", "title", "link", "body", "header", "a", "span", "nav", "main",
            "ol",
            "li", "p", "h1", "h2", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
            "div",
            "form", "input", "button", "select", "option", "label", "details", "summary", "pre",
            "img",
            "script", "code",
        ]
        let knownAttributes: Set = [
            "lang", "charset", "name", "content", "rel", "href", "class", "id", "aria-label",
            "aria-current", "role", "method", "action", "type", "value", "selected", "placeholder",
            "tabindex", "scope", "src", "alt", "data-feed", "data-position", "aria-live", "min",
            "max",
            "required", "data-label", "/",
        ]
        #expect(elements.subtracting(knownElements) == [], "\(place)")
        #expect(attributes.subtracting(knownAttributes) == [], "\(place)")
        #expect(page.matches(of: /<script/).count == 1, "\(place)")
        #expect(page.matches(of: /<title>/).count == 1, "\(place)")
    }
}
