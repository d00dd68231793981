import Testing

@Suite("The console tells", .timeLimit(.minutes(2)))
struct ConsoleTextTests {
    /// Pages, and what each of them has to say.
    static let pages: [(page: String, texts: [String])] = [
        (
            "/",
            [
                "import CloudKitWebServices", "run add-app --container", "restart the server",
                "forKey: SMStore.SMStoreContainerOption",
            ]
        ),
        ("/console/faults?", ["Seconds, items or bytes for “…”", "user/ann is any client of ann"]),
        (
            "/console/schema?\(ConsoleTests.place)",
            ["INT64 and DOUBLE", "schema language calls both NUMBER"]
        ),
        (
            "/console/database?\(ConsoleTests.place)",
            ["so do devices that have not fetched the last one"]
        ),
        ("/console/changes/rows?\(ConsoleTests.place)&since=x", ["The position is not valid."]),
    ]

    @Test("how to connect, and what its words mean", arguments: pages)
    func text(page: String, texts: [String]) async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("x")
            let client = try await ConsoleClient.open(running)
            let shown = try await client.get(page).text
            for text in texts { #expect(shown.contains(text), "\(page) does not say: \(text)") }
        }
    }
}
