// error: is only available in iOS 17
// system: ios
import CoreData

let attribute = NSCompositeAttributeDescription()
