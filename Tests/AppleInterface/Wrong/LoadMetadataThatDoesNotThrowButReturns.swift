// error: method does not override any method from its superclass
import CoreData

class Store: NSIncrementalStore {
    override func loadMetadata() -> Bool { true }
}
