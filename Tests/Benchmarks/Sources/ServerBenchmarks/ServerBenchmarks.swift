import ArgumentParser

/// Measures `Example/Server` as a process of its own, and tries whether it keeps what it answers.
@main
struct ServerBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the example's server, and kills it under load.",
        subcommands: [Requests.self, Devices.self, Kills.self, Memory.self])
}
