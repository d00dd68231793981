// error: conflicts with previous declaration with the same Objective-C selector
import CoreData

class Note: NSManagedObject {
    @objc func rename(_ text: String) {}
    @objc func rename(_ number: NSNumber) {}
}
