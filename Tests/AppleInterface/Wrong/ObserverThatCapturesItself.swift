// warning: non-Sendable
// language-mode: 6
import Foundation

final class Observer {
    var count = 0
    func start() {
        _ = NotificationCenter.default.addObserver(forName: nil, object: nil, queue: nil) { _ in
            self.count += 1
        }
    }
}
