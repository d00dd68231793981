// error: does not conform to expected type 'CVarArg'
import Foundation

struct Place {}

let predicate = NSPredicate(format: "place == %@", Place())
