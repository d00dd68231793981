import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which an edit need not count any longer.
@Suite("The judge's oracle, with edits that come to nothing")
struct OracleVoidTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// Objects by their identities, after which a number tells copies apart.
    private static func snapshot(_ objects: [String: [String: Value]]) -> Snapshot {
        var snapshot = Snapshot()
        for (name, values) in objects {
            let ident = String(name.prefix { $0 != "#" })
            snapshot.objects[name] = Snapshot.Object(
                kind: Change.root(of: ident) ?? .node, ident: ident, values: values)
        }
        return snapshot
    }

    /// All places have the same objects.
    private static func start(_ snapshot: Snapshot) -> History {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: snapshot)
        history.finish(history.beginExchange(0))
        history.attempted(0)
        for place in [2, 1] { history.look(at: place, snapshot) }
        history.finish(history.beginExchange(1))
        history.attempted(1)
        return history
    }

    private static func rules(
        _ history: History, _ policy: Policy, _ final: Snapshot, losesAnswers: Bool = false
    ) -> [String] {
        var oracle = Oracle(history: history, policy: policy, raced: [], final: final)
        oracle.losesAnswers = losesAnswers
        oracle.judge()
        return oracle.violations.map(\.rule)
    }

    // MARK: - New objects without an answer

    /// Device 1 has created an object and sent it, and device 0 has deleted it.
    private static func deleted(_ ident: String, isAnswered: Bool) -> (History, Snapshot) {
        let there = snapshot([ident: ["name": .text("work"), "title": .text("a")]])
        var history = History(placeCount: 3)
        history.save(at: 1, before: Snapshot(), after: there)
        let exchange = history.beginExchange(1)
        history.attempted(1)
        history.look(at: 2, there)
        if isAnswered { history.finish(exchange) }
        history.look(at: 0, there)
        history.save(at: 0, before: there, after: Snapshot())
        history.send(from: 0)
        return (history, there)
    }

    @Test("lets a new object with a natural key come back only if it got no answer")
    func newWithKey() {
        for losesAnswers in [false, true] {
            for isAnswered in [false, true] {
                let (history, there) = Self.deleted("twork", isAnswered: isAnswered)
                let isFree = losesAnswers && !isAnswered
                #expect(
                    Self.rules(history, .mergeByProperty, there, losesAnswers: losesAnswers)
                        == (isFree ? [] : ["deletion undone"]))
                #expect(
                    Self.rules(history, .mergeByProperty, Snapshot(), losesAnswers: losesAnswers)
                        == [])
            }
        }
    }

    @Test("requires that a new object without a natural key stays deleted")
    func newWithoutKey() {
        let (history, there) = Self.deleted("n1", isAnswered: false)
        #expect(
            Self.rules(history, .mergeByProperty, there, losesAnswers: true)
                == ["deletion undone"])
    }
}
