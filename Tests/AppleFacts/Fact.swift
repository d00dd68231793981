import CoreData
import Testing

/// An assumption about Apple's frameworks that this package rests on, and that no documentation settles.
struct Fact: Sendable, CustomTestStringConvertible {
    /// What settles it.
    enum Judge: Sendable {
        /// A test of this target.
        case test
        /// A test of this target, where there is Objective-C.
        case objectiveC
        /// iCloud itself.
        case server
        /// A device that can be locked, or suspends processes.
        case device
        /// Files that Xcode compiles or generates.
        case xcode
        /// The suite of a name in another target, which runs on a Mac as well.
        case suite(String)
    }

    /// Its name, which never changes: CD for Core Data, CK for CloudKit, FG for
    /// predicates and expressions, SM for what the store does with them.
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

/// What was found out in this run, as text in a file: `SEAM_FACTS_REPORT` names it.
private enum Report {
    private static let lock = NSLock()

    static func append(_ line: String) {
        guard let path = ProcessInfo.processInfo.environment["SEAM_FACTS_REPORT"] else { return }
        lock.lock()
        defer { lock.unlock() }
        if !FileManager.default.fileExists(atPath: path) {
            FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        file.seekToEndOfFile()
        file.write(Data("\(line)\n".utf8))
        file.closeFile()
    }
}

/// Says whether an assumption holds.
///
/// - Parameters:
///   - id: The assumption.
///   - expected: What the package assumes.
///   - observed: What the frameworks do.
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

/// Notes what could not be settled here, for the report to be complete.
func note(_ fact: Fact) {
    switch fact.judge {
    case .server: Report.append("\(fact.id) needs iCloud: \(fact.text)")
    case .device: Report.append("\(fact.id) needs a device: \(fact.text)")
    case .xcode: Report.append("\(fact.id) needs Xcode: \(fact.text)")
    case .suite(let name): Report.append("\(fact.id) is for \(name) to tell: \(fact.text)")
    case .test, .objectiveC: break
    }
}
