import Foundation

/// Counts answers, and resumes whoever waits for a number of them.
final class AnswerCount: @unchecked Sendable {
    // Unchecked because everything is touched under `lock` only.
    private let lock = NSLock()
    private let target: Int
    private var count = 0
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// - Parameter target: The number of answers.
    init(target: Int) { self.target = target }

    /// Counts an answer.
    func add() { change { $0.count += 1 } }

    /// Resumes at once: no more answers come.
    func end() { change { $0.isOver = true } }

    /// Waits for the number of answers, or for the end.
    func reached() async {
        await withCheckedContinuation { continuation in change { $0.waiting = continuation } }
    }

    private func change(_ body: (AnswerCount) -> Void) {
        let resumed = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            body(self)
            guard isOver || count >= target else { return nil }
            defer { waiting = nil }
            return waiting
        }
        resumed?.resume()
    }
}
