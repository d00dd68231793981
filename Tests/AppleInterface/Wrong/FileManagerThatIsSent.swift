// error: has non-Sendable type 'FileManager'
// language-mode: 6
import Foundation

struct Folder: Sendable { let manager: FileManager }
