// error: has non-Sendable type 'Thread'
// language-mode: 6
import Foundation

struct Worker: Sendable { let thread: Thread }
