// error: not exposed to Objective-C
import Foundation

class Timekeeper: NSObject {
    func tick() {}
    let selector = #selector(tick)
}
