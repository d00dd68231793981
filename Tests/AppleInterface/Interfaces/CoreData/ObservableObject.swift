// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import CoreData

// A view may observe an object.
extension NSManagedObject: ObservableObject {}
