// error: conformance of 'UUID' to 'Comparable' is only available in macOS 14
// language-mode: 6
import Foundation

@available(macOS 13, *)
func precedes(_ left: UUID, _ right: UUID) -> Bool { left < right }
