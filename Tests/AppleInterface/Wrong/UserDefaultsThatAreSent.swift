// error: has non-Sendable type 'UserDefaults'
// language-mode: 6
import Foundation

struct Settings: Sendable { let defaults: UserDefaults }
