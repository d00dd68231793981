import CoreData
import Testing

/// An assumption about Apple's frameworks that this package depends on and that no documentation
/// confirms.
struct Fact: Sendable, CustomTestStringConvertible {
    /// How it can be verified.
    enum Judge: Sendable {
        /// A test of this target.
        case test
        /// A test of this target that needs Objective-C.
        case objectiveC
        /// iCloud itself.
        case server
        /// A device that can be locked, or that suspends processes.
        case device
        /// Files that Xcode compiles or generates.
        case xcode
        /// A suite of another target, by name, which also runs on a Mac.
        case suite(String)
    }

    /// Its ID, which never changes: CD for Core Data, CK for CloudKit, FG for predicates and
    /// expressions, SM for the store.
    let id: String
    let text: String
    let judge: Judge

    init(_ id: String, _ text: String, _ judge: Judge = .test) {
        self.id = id
        self.text = text
        self.judge = judge
    }

    var testDescription: String { "\(id): \(text)" }
}

/// The results of this run, as a text file at the path in `SEAM_FACTS_REPORT`.
private enum Report {
    private static let lock = NSLock()

    static func append(_ line: String) {
        guard let path = ProcessInfo.processInfo.environment["SEAM_FACTS_REPORT"] else { return }
        lock.lock()
        defer { lock.unlock() }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        file.seekToEndOfFile()
        file.write(Data("\(line)\n".utf8))
        file.closeFile()
    }
}

/// Reports whether an assumption holds.
///
/// - Parameters:
///   - id: The assumption.
///   - expected: The behavior that the package assumes.
///   - observed: The behavior of the frameworks.
func fact<Value: Equatable>(
    _ id: String, expected: Value, observed: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let text = Fact.all.first { $0.id == id }?.text ?? "a fact that is not in the list"
    let holds = expected == observed
    Report.append(
        "\(id) \(holds ? "holds" : "DOES NOT HOLD: \(observed), not \(expected)"): \(text)")
    #expect(holds, "\(id), \(text): \(observed), not \(expected)", sourceLocation: sourceLocation)
}

/// Adds the assumptions that cannot be verified here, so that the report is complete.
func note(_ fact: Fact) {
    switch fact.judge {
    case .server: Report.append("\(fact.id) needs iCloud: \(fact.text)")
    case .device: Report.append("\(fact.id) needs a device: \(fact.text)")
    case .xcode: Report.append("\(fact.id) needs Xcode: \(fact.text)")
    case .suite(let name): Report.append("\(fact.id) is for \(name) to tell: \(fact.text)")
    case .test, .objectiveC: break
    }
}
