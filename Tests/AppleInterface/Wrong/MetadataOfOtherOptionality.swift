// error: cannot override
import CoreData

class Store: NSIncrementalStore {
    override var metadata: [String: String]! {
        get { nil }
        set {}
    }
}
