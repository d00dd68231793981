import CloudKitWebServices
import CloudServer
import Foundation
import Testing

/// The page to which users are sent who have to sign in.
@Suite("Signing in")
struct SignInTests {
    private static let form = ["Content-Type": "application/x-www-form-urlencoded"]

    private func signIn(
        _ running: RunningServer, user: String, code: String = "", apiToken: String? = nil,
        headers: [String: String] = [:], entrance: String? = nil
    ) async throws -> RawReply {
        try await running.send(
            "POST", "\(entrance ?? running.entrance)/signin",
            headers: Self.form.merging(headers) { $1 },
            body:
                "ckAPIToken=\(apiToken ?? RunningServer.apiToken)&user=\(encoded(user))&code=\(code)"
        )
    }

    @Test("A request without a user is sent to a page that signs one in")
    func redirection() async throws {
        try await RunningServer.run({ _, options in options.signIn = .anybody }) { running in
            let path = "/database/1/\(RunningServer.container)/development/private/zones/list"
            let refused = try await running.send(
                "GET", running.entrance + path + "?ckAPIToken=\(RunningServer.apiToken)")
            #expect(refused.status == 421)
            let address = try #require(refused.value("redirectURL"))
            #expect(
                address.hasPrefix(running.url.absoluteString + running.entrance + "/signin?"))
            let target = String(address.dropFirst(running.url.absoluteString.count))
            let page = try await running.send("GET", target)
            #expect(page.status == 200)
            #expect(page.text.contains(RunningServer.container))
            let signedIn = try await signIn(
                running, user: "ann", headers: ["Accept": "application/json"])
            let token = encoded(try #require(signedIn.value("ckWebAuthToken")))
            let answer = try await running.send(
                "GET", "\(path)?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(token)")
            #expect(answer.status == 200)
        }
    }

    @Test("Without the address that was printed nobody signs in with any name")
    func withoutAddress() async throws {
        let (bob, code) = ServerSettings.User.make("bob")
        try await RunningServer.run({ settings, options in
            settings.users = [bob]
            options.signIn = .anybody
            options.opensConsoleOnLoopback = true
        }) { running in
            let path = "/database/1/\(RunningServer.container)/development/private/zones/list"
            let api = "?ckAPIToken=\(RunningServer.apiToken)"
            // These are requests as a proxy passes them on that says nothing about itself.
            for query in [api, api + "&ckWebAuthToken=1__1__x"] {
                let refused = try await running.send("GET", path + query)
                let address = try #require(refused.value("redirectURL"))
                #expect(address.hasPrefix(running.url.absoluteString + "/signin?"))
            }
            let page = try await running.send("GET", "/signin" + api)
            #expect(page.status == 200 && page.text.contains(#"name="code""#))
            let zeros = String(repeating: "0", count: 32)
            for (entrance, status) in [("", 401), ("/open", 404), ("/open/\(zeros)", 404)] {
                for user in ["ann", "bob"] {
                    let reply = try await signIn(running, user: user, entrance: entrance)
                    #expect(reply.status == status && !reply.text.contains("1__1__"))
                }
            }
            for header in ["Forwarded", "X-Forwarded-For", "Via"] {
                let reply = try await signIn(running, user: "ann", headers: [header: "192.0.2.1"])
                #expect(reply.status == 404)
            }
            // A user of the settings signs in with the code, and who has opened the server with any name.
            let known = try await signIn(running, user: "bob", code: code, entrance: "")
            #expect(known.status == 200)
            let cookie = try await ConsoleClient.open(running).cookie
            let opener = try await signIn(
                running, user: "ann", headers: ["Cookie": cookie], entrance: "")
            #expect(opener.status == 200)
        }
    }

    @Test("Where codes are asked for, only a user's own code is good")
    func codes() async throws {
        let (ann, code) = ServerSettings.User.make("ann")
        let (bob, bobsCode) = ServerSettings.User.make("bob")
        try await RunningServer.run({ settings, _ in settings.users = [ann, bob] }) { running in
            for (user, code) in [
                ("ann", ""), ("ann", bobsCode), ("ann", code + "0"), ("eve", code), ("", code),
            ] {
                let reply = try await signIn(running, user: user, code: code)
                #expect(reply.status == 401, "\(user) \(code)")
                #expect(!reply.text.contains("1__1__"))
            }
            let reply = try await signIn(running, user: "ann", code: code)
            #expect(reply.status == 200)
            #expect(reply.text.contains("1__1__"))
            let file = try String(
                contentsOf: running.folder.appendingPathComponent("Server.json"), encoding: .utf8)
            #expect(!file.contains(code))
        }
    }

    @Test("The token goes to the app's own page, whatever the request says")
    func callback() async throws {
        try await RunningServer.run({ settings, options in
            options.signIn = .anybody
            settings.apiTokens[0].callback = "https://app.example.org/done?a=b"
        }) { running in
            let reply = try await running.send(
                "POST", "\(running.entrance)/signin?callback=https://evil.example.org",
                headers: Self.form,
                body:
                    "ckAPIToken=\(RunningServer.apiToken)&user=ann&callback=https://evil.example.org"
            )
            #expect(reply.status == 303)
            let location = try #require(reply.headers["location"])
            #expect(location.hasPrefix("https://app.example.org/done?a=b&ckWebAuthToken="))
            let page = try await running.send(
                "GET", "/signin?ckAPIToken=\(RunningServer.apiToken)")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.contains("form-action 'self' https://app.example.org;"))
        }
    }

    @Test(
        "A form of another site, and a name that only leads here, are refused",
        arguments: [
            ["Origin": "https://evil.example.org"], ["Origin": "null"],
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Host": "evil.example.org"], ["Host": "127.0.0.1.evil.example.org"],
        ])
    func otherSites(headers: [String: String]) async throws {
        try await RunningServer.run({ _, options in options.signIn = .anybody }) { running in
            let reply = try await signIn(running, user: "ann", headers: headers)
            // For another name the address that opens the server is none of the server's.
            #expect([403, 404].contains(reply.status))
            #expect(!reply.text.contains("1__1__"))
        }
    }

    @Test("Nothing that a visitor types becomes a part of the page")
    func escapes() async throws {
        try await RunningServer.run({ settings, options in
            options.signIn = .anybody
            settings.apiTokens[0].container = "iCloud.\"\u{301}><script>"
        }) { running in
            for user in [
                "<script>alert(1)</script>", "\"\u{301} onfocus='x' a=\"", "'\u{20dd}<\u{301}b>",
            ] {
                let reply = try await signIn(running, user: user)
                #expect(!reply.text.contains("<script>"))
                #expect(
                    !reply.text.unicodeScalars.split(separator: "\u{301}").dropLast()
                        .contains { "\"<>'".unicodeScalars.contains($0.last ?? " ") })
                #expect(
                    reply.headers["content-security-policy"]?.contains("script-src 'self'") == true)
                #expect(reply.headers["x-frame-options"] == "DENY")
            }
            let control = try await signIn(running, user: "a\u{0}b\r\nc")
            #expect(control.status == 401)
            #expect(try await signIn(running, user: "ann", apiToken: "x").status == 404)
        }
    }
}
