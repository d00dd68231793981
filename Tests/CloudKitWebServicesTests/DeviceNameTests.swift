import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// The names that clients give their devices in a header.
@Suite("Names of devices over HTTP")
struct DeviceNameTests {
    @Test("However many devices a user's clients name, the cloud keeps one account of the user")
    func accounts() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        for number in 0..<30 {
            let headers = ["X-Seam3-Device": "device \(number)"]
            let zones = try await web.send("zones/list", nil, headers: headers)
            #expect(String(decoding: zones.data, as: UTF8.self).contains(#""Z""#))
            let token = try await web.send(
                "tokens/create", "{}", database: "public", headers: headers)
            #expect(token.status == 200)
        }
        // A browser page names none, and has a device of its own for pushes.
        _ = try await web.send("tokens/create", "{}", database: "public")
        _ = try await web.send("zones/list", nil, user: "bob")
        let entries = try web.cloud.accountEntries()
        #expect(entries.map(\.device) == ["user/ann", "user/bob"])
        #expect(entries.map(\.user) == ["ann", "bob"])
    }

    @Test(
        "No device's name continues that of another device or user",
        arguments: [
            ("a/b", "user/ann/a%2Fb"), ("../bob", "user/ann/..%2Fbob"), ("%2F", "user/ann/%252F"),
            (String(repeating: "/", count: 50), "user/ann/" + String(repeating: "%2F", count: 50)),
            ("café 1", "user/ann/café 1"),
        ])
    func slashes(name: String, device: String) async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let zones = try await web.send("zones/list", nil, headers: ["X-Seam3-Device": name])
        #expect(String(decoding: zones.data, as: UTF8.self).contains(#""Z""#))
        #expect(await web.accounts.sessions.map(\.device).contains(device))
    }
}
