// error: is only available in macOS 13
import Foundation

func wait() async throws { try await Task.sleep(for: .seconds(1)) }
