// error: expects 1 argument
// system: ios
import Foundation

func run() {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "Save") { print("saving") }
}
