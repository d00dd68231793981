// error: has non-Sendable type 'NSString'
// language-mode: 6
import Foundation

struct Name: Sendable { let text: NSString }
