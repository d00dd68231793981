// error: is only available in macOS 13
import Foundation

let file = URL(filePath: "/tmp/a")
