import ArgumentParser
import Measurement

/// Whether the server's memory grows with the number of requests.
struct Memory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the server's resident memory after every 10,000 requests.",
        discussion: """
            It must not grow: the mean of the last three readings may exceed that of the third, fourth and fifth \
            by a twentieth, but not by more than 2 MB. The first two fill caches.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "How many times 10,000 requests there are.")
    var steps = 10

    @Option(help: "The number of clients.")
    var clients = 8

    /// How much the memory may grow, in bytes.
    private static let tolerance = 2_000_000

    /// Memory that grows.
    struct Growth: Error, CustomStringConvertible {
        let description: String
    }

    func validate() throws {
        guard steps >= 8, clients > 0 else {
            throw ValidationError("There must be clients, and at least 8 steps.")
        }
    }

    func run() async throws {
        try await options.withServer { server in
            var all: [NoteClient] = []
            for index in 0..<clients {
                let service = try await server.service(user: "ann")
                all.append(NoteClient(service, device: "client\(index)"))
            }
            let zone = try await NoteZone(size: 1_000, on: all[0])
            var table = Table(title: "Memory of the server", columns: ["requests", "MB"])
            var readings: [Int] = []
            for step in 1...steps {
                try await send(10_000, all, zone)
                readings.append(MemoryUse.residentBytes(of: server.processIdentifier))
                let megabytes = Double(readings[step - 1]) / 1_000_000
                table.add([(step * 10_000).grouped, megabytes.rounded(toPlaces: 1)])
            }
            table.print(as: options.markdown ? .markdown : .text)
            try Self.check(readings)
        }
    }

    /// Sends requests of all kinds in turn.
    private func send(_ count: Int, _ clients: [NoteClient], _ zone: NoteZone) async throws {
        let kinds = RequestKind.allCases
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask {
                    for index in 0..<count / clients.count {
                        try await kinds[index % kinds.count].send(client, in: zone)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func check(_ readings: [Int]) throws {
        func mean(_ readings: some Collection<Int>) -> Int {
            readings.reduce(0, +) / readings.count
        }
        let (early, late) = (mean(readings[2..<5]), mean(readings.suffix(3)))
        let growth = late - early
        print("Growth: \(growth.grouped) bytes.")
        guard growth <= min(tolerance, early / 20) else {
            throw Growth(description: "The memory grows by \(growth.grouped) bytes.")
        }
    }
}
