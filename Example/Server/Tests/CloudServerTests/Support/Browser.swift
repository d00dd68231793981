import Foundation
import Testing

/// A Chromium without a window, driven as WebDriver says.
final class Browser: Sendable {
    /// Whether there is one on this machine. `Example/Server/test` installs it.
    static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: driver)
    }

    private static let driver = "/usr/bin/chromedriver"
    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    /// Keys that no text has.
    enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process: DriverProcess
    private let base: URL

    /// Starts a browser with a profile of its own, and uses it.
    static func use(_ body: @Sendable (Browser) async throws -> Void) async throws {
        let profile = FileManager.default.temporaryDirectory
            .appendingPathComponent("Browser-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: profile) }
        let process = try await DriverProcess.start(driver)
        defer { process.end() }
        let browser = try await Browser(process, profile: profile)
        do {
            try await body(browser)
        } catch {
            try? await browser.quit()
            throw error
        }
        try await browser.quit()
    }

    private init(_ process: DriverProcess, profile: URL) async throws {
        self.process = process
        let options: [String: Any] = [
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--window-size=1280,800", "--user-data-dir=\(profile.path)",
            ]
        ]
        let answer = try await Self.send(
            "POST", process.url.appendingPathComponent("session"),
            ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]])
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            throw Failure(description: "no session: \(answer ?? "")")
        }
        base = process.url.appendingPathComponent("session/\(id)")
        // Looking for an element waits for it, so no test has to.
        try await command("timeouts", ["implicit": 20_000])
    }

    private func quit() async throws { _ = try await Self.send("DELETE", base, nil) }

    // MARK: - What a person does

    /// Opens an address.
    func open(_ address: String) async throws { try await command("url", ["url": address]) }

    /// Clicks on the first element of a CSS selector, as soon as there is one.
    func click(_ selector: String) async throws {
        try await command("element/\(try await element(selector))/click", [:])
    }

    /// Types into the first element of a CSS selector.
    func type(_ text: String, into selector: String) async throws {
        try await command("element/\(try await element(selector))/value", ["text": text])
    }

    /// Presses a key where the keyboard is.
    func press(_ key: Key) async throws {
        let active = try await Self.send("GET", base.appendingPathComponent("element/active"), nil)
        let id = (active as? [String: String])?[Self.elementKey] ?? ""
        try await command("element/\(id)/value", ["text": key.rawValue])
    }

    /// Presses the tabulator until the element with a text has the keyboard.
    func tab(to text: String) async throws {
        for _ in 0..<80 {
            try await press(.tab)
            let active = try await script("return document.activeElement.textContent.trim()")
            if active == text { return }
        }
        throw Failure(description: "The keyboard does not get to \"\(text)\"")
    }

    /// The text of the first element of a CSS selector, as soon as there is one.
    func text(_ selector: String) async throws -> String {
        let id = try await element(selector)
        return try await Self.send("GET", base.appendingPathComponent("element/\(id)/text"), nil)
            as? String ?? ""
    }

    /// The result of a script as text.
    @discardableResult
    func script(_ code: String) async throws -> String {
        let result = try await command("execute/sync", ["script": code, "args": [String]()])
        return result.map { "\($0)" } ?? ""
    }

    /// Gives the window a width, and the person a preference for light or dark colors.
    func show(width: Int, colors: String) async throws {
        for (name, parameters) in [
            (
                "setDeviceMetricsOverride",
                ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false]
            ),
            (
                "setEmulatedMedia",
                ["features": [["name": "prefers-color-scheme", "value": colors]]]
            ),
        ] as [(String, [String: Any])] {
            try await command(
                "goog/cdp/execute", ["cmd": "Emulation.\(name)", "params": parameters])
        }
    }

    // MARK: - WebDriver

    private func element(_ selector: String) async throws -> String {
        let found = try await command(
            "element", ["using": "css selector", "value": selector])
        guard let id = (found as? [String: String])?[Self.elementKey] else {
            throw Failure(description: "no element \(selector)")
        }
        return id
    }

    @discardableResult
    private func command(_ path: String, _ body: [String: Any]) async throws -> Any? {
        try await Self.send("POST", base.appendingPathComponent(path), body)
    }

    // The driver's answers have headers that URLSession cannot read.
    fileprivate static func send(
        _ method: String, _ url: URL, _ body: [String: Any]?
    ) async throws -> Any? {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let reply = try await RawConnection.exchange(
            port: url.port ?? 0, method: method, target: url.path, body: data)
        let answer = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any]
        guard reply.status == 200 else {
            throw Failure(description: "\(url.lastPathComponent): \(answer?["value"] ?? "")")
        }
        return answer?["value"]
    }
}

/// The process of a driver, which ends its browser with itself.
private final class DriverProcess: Sendable {
    let url: URL
    // Only started and ended, by one test.
    nonisolated(unsafe) private let process: Process

    private init(_ program: String, port: Int) throws {
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--port=\(port)", "--silent"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Starts a driver, and waits until it answers.
    static func start(_ program: String) async throws -> DriverProcess {
        let driver = try DriverProcess(program, port: LoopbackPort.free())
        for _ in 0..<300 {
            let status = try? await Browser.send(
                "GET", driver.url.appendingPathComponent("status"), nil)
            if (status as? [String: Any])?["ready"] as? Bool == true { return driver }
            // The driver tells nobody when it is ready; it can only be asked.
            try await Task.sleep(for: .milliseconds(100))
        }
        driver.end()
        throw Browser.Failure(description: "The driver does not answer")
    }

    /// Ends the driver at once. It may have inherited that SIGTERM is blocked, and its browser has ended.
    func end() { kill(process.processIdentifier, SIGKILL) }
}
