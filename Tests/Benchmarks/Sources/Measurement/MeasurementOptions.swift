import ArgumentParser

/// The options that every benchmark of this package understands.
public struct MeasurementOptions: ParsableArguments {
    /// The numbers of objects, smallest first.
    @Option(
        help: "The numbers of objects, smallest first, separated by commas.",
        transform: MeasurementOptions.sizes)
    public var sizes = [1_000, 10_000, 100_000, 1_000_000]

    @Option(help: "How often each side is measured at each size.")
    var rounds = 5

    @Option(help: "Measure only comparisons whose name contains this text.")
    var only: String?

    @Option(help: "How many milliseconds a round lasts at least; short work is repeated.")
    var leastRoundMilliseconds = 20

    @Flag(help: "Measure the process's time on a CPU, which other processes hardly influence.")
    var cpuTime = false

    @Flag(help: "Print Markdown tables.")
    var markdown = false

    /// The defaults.
    public init() {}

    /// Whether a comparison or table with a name was requested.
    ///
    /// - Parameter name: The name.
    public func chooses(_ name: String) -> Bool {
        only.map { name.lowercased().contains($0.lowercased()) } ?? true
    }

    /// The style of the tables.
    public var tableStyle: Table.Style { markdown ? .markdown : .text }

    /// The largest of the sizes.
    public var largestSize: Int { sizes.max() ?? 1 }

    var leastRoundTime: Duration { .milliseconds(leastRoundMilliseconds) }

    /// Limits the repetitions of work that takes little time but is expensive to prepare.
    var mostRunsPerRound: Int { 1_000 }

    /// Validates the options.
    public mutating func validate() throws {
        guard !sizes.isEmpty, sizes.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("Sizes are whole numbers greater than zero.")
        }
        guard rounds > 0 else { throw ValidationError("There must be at least one round.") }
    }

    private static func sizes(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { part in
            guard let size = Int(part.filter { $0 != "_" }) else {
                throw ValidationError("\(part) is not a number of objects.")
            }
            return size
        }
    }
}
