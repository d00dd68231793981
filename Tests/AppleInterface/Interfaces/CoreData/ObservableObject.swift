// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Combine

// A view may observe an object.
extension NSManagedObject: ObservableObject {}
