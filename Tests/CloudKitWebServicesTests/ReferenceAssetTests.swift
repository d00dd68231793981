import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// The three steps of an upload, and the download, as in the reference.
@Suite("Assets as in the reference")
struct ReferenceAssetTests {
    @Test("An asset is uploaded to its field's URL, and downloaded from its record's")
    func assets() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let places = try await web.send(
            "assets/upload",
            """
            {"zoneID":{"zoneName":"Z"},"tokens":[
             {"recordName":"c1","recordType":"Clock","fieldName":"photo"},
             {"recordType":"Clock","fieldName":"photo"}]}
            """)
        #expect(
            difference(
                places.json,
                object(
                    """
                    {"tokens":[{"recordName":"c1","fieldName":"photo","url":"*"},
                     {"recordName":"*","fieldName":"photo","url":"*"}]}
                    """)) == nil)
        let bytes = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        for (index, isForm) in [false, true].enumerated() {
            let url = try #require(places.text("tokens", String(index), "url"))
            var form = Data("--xyz\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\n".utf8)
            form += bytes + Data("\r\n--xyz--\r\n".utf8)
            let uploaded = Reply(
                await web.router.respond(
                    to: WebServiceRequest(
                        method: "POST", target: String(url.dropFirst("http://127.0.0.1:1".count)),
                        headers: isForm
                            ? ["content-type": "multipart/form-data; boundary=xyz"]
                            : ["content-type": "application/octet-stream"],
                        body: .data(isForm ? form : bytes))))
            #expect(
                difference(
                    uploaded.json,
                    object(#"{"singleFile":{"fileChecksum":"*","size":5000,"receipt":"*"}}"#))
                    == nil)
            let value = try #require(uploaded["singleFile"])
            let file = String(
                decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
            let saved = try await web.send(
                "records/modify",
                """
                {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"forceUpdate","record":
                 {"recordName":"c\(index)","recordType":"Clock","fields":{"photo":{"value":\(file),
                  "type":"\(isForm ? "ASSET" : "ASSETID")"}}}}]}
                """)
            let address = try #require(
                saved.text("records", "0", "fields", "photo", "value", "downloadURL"))
            #expect(address.hasSuffix("/${f}"))
            #expect(saved.text("records", "0", "fields", "photo", "type") == "ASSETID")
            #expect(
                saved["records", "0", "fields", "photo", "value", "size"] as? Int == bytes.count)
            let path = address.dropFirst("http://127.0.0.1:1".count)
                .replacingOccurrences(of: "${f}", with: "photo.jpg")
            let downloaded = Reply(
                await web.router.respond(to: WebServiceRequest(method: "GET", target: path)))
            #expect(downloaded.status == 200)
            #expect(downloaded.data == bytes)
        }
        let again = try await web.send(
            "assets/rereference",
            #"{"zoneID":{"zoneName":"Z"},"assets":[{"recordName":"c1","fieldName":"photo"}]}"#)
        #expect(
            difference(
                again.json, object(#"[{"fileChecksum":"*","size":5000,"receipt":"*"}]"#)) == nil)
    }

    @Test("Asset URLs expire after 15 minutes, and cannot be forged")
    func addresses() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let places = try await web.send(
            "assets/upload",
            #"{"zoneID":{"zoneName":"Z"},"tokens":[{"recordType":"T","fieldName":"f"}]}"#)
        let url = try #require(places.text("tokens", "0", "url"))
        let target = String(url.dropFirst("http://127.0.0.1:1".count))
        func status(_ target: String) async -> Int {
            await web.router.respond(
                to: WebServiceRequest(method: "POST", target: target, body: .data(Data([1])))
            ).status
        }
        #expect(await status(String(target.dropLast())) == 403)
        #expect(await status(target + "A") == 403)
        #expect(await status("/assets/upload/e30.e30") == 403)
        // An upload URL does not work for downloads.
        let crossed = target.replacingOccurrences(of: "/upload/", with: "/download/")
        #expect(
            await web.router.respond(to: WebServiceRequest(method: "GET", target: crossed)).status
                == 403)
        web.clock.advance(15 * 60 + 1)
        #expect(await status(target) == 403)
    }
}
