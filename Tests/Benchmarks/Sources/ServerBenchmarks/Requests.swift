import ArgumentParser
import CloudKitWebServices
import Foundation
import LocalCloud
import Measurement
import SyncedNotes

/// Requests a second and their latencies, over HTTP and in the process.
struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure saves, fetches and pages of changes over loopback and in the process.",
        discussion: """
            Each client sends one request after the other. Over HTTP it is a CloudKitWebService of its own; in \
            the process it calls a LocalCloud in a folder. If wrk is installed, it measures fetches, too.
            """)

    @OptionGroup var options: ServerOptions

    @Option(
        help: "The numbers of clients, separated by commas.",
        transform: { try $0.split(separator: ",").map { try number($0) } })
    var clients = [1, 8, 64]

    @Option(help: "How many seconds each measurement takes.")
    var seconds = 3.0

    @Option(help: "How many records there are.")
    var records = 10_000

    private static func number(_ text: Substring) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ValidationError("\(text) is not a number of clients.")
        }
        return number
    }

    func validate() throws {
        guard records >= 100 else { throw ValidationError("There must be at least 100 records.") }
    }

    func run() async throws {
        try await options.withServer { server in
            let folder = try Folder()
            let local = LocalCloud(directory: folder.url("cloud"))
            var sides: (http: [NoteClient], local: [NoteClient]) = ([], [])
            for index in 0..<(clients.max() ?? 1) {
                let service = try await server.service(user: "ann")
                sides.http.append(NoteClient(service, device: "client\(index)"))
                sides.local.append(NoteClient(local, device: "client\(index)"))
            }
            let httpZone = try await NoteZone(size: records, on: sides.http[0])
            let localZone = try await NoteZone(size: records, on: sides.local[0])
            for kind in RequestKind.allCases {
                var table = Table(title: kind.rawValue.capitalized, columns: Self.columns)
                for count in clients {
                    let http = try await measure(kind, count, sides.http, httpZone)
                    let local = try await measure(kind, count, sides.local, localZone)
                    table.add(row(count, http, local))
                }
                table.print(as: options.markdown ? .markdown : .text)
            }
            try await measureWithWrk(server)
        }
    }

    // MARK: - Both sides

    private struct Measured {
        var perSecond: Double
        var median: Double
        var percentile99: Double
    }

    private func measure(
        _ kind: RequestKind, _ count: Int, _ clients: [NoteClient], _ zone: NoteZone
    ) async throws -> Measured {
        let send = { @Sendable (index: Int) in try await kind.send(clients[index], in: zone) }
        // The first requests open connections.
        _ = try await Load.run(count, seconds: seconds / 10, send)
        let (latencies, elapsed) = try await Load.run(count, seconds: seconds, send)
        return Measured(
            perSecond: Double(latencies.count) / elapsed, median: latencies.milliseconds(0.5),
            percentile99: latencies.milliseconds(0.99))
    }

    private static let columns = [
        "clients", "HTTP a second", "p50 ms", "p99 ms", "in process a second", "p50 ms", "p99 ms",
        "ratio", "of p50", "of p99",
    ]

    private func row(_ count: Int, _ http: Measured, _ local: Measured) -> [String] {
        func cells(_ side: Measured) -> [String] {
            [
                Int(side.perSecond.rounded()).grouped, side.median.rounded(toPlaces: 2),
                side.percentile99.rounded(toPlaces: 2),
            ]
        }
        return [count.grouped] + cells(http) + cells(local)
            + [
                local.perSecond / http.perSecond, http.median / local.median,
                http.percentile99 / local.percentile99,
            ].map { $0.rounded(toPlaces: 1) }
    }

    // MARK: - wrk

    /// Measures fetches with a client that costs next to nothing.
    private func measureWithWrk(_ server: ServerProcess) async throws {
        guard let wrk = Wrk(server, token: try await server.webAuthToken(of: "ann")) else {
            print("wrk is not installed.")
            return
        }
        var table = Table(
            title: "With wrk", columns: ["fetch", "connections", "a second", "p50", "p99"])
        for (kind, count) in [(RequestKind.fetchOne, 1), (.fetchFifty, 50)] {
            for connections in clients {
                let result = try await wrk.fetch(
                    (0..<count).map(NoteClient.name), connections: connections,
                    seconds: seconds)
                table.add([
                    kind.rawValue, connections.grouped, result.perSecond, result.median,
                    result.percentile99,
                ])
            }
        }
        table.print(as: options.markdown ? .markdown : .text)
    }
}
