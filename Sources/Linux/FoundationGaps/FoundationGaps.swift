// Apple's Foundation is what every client of CoreData and CloudKit sees without importing it.
@_exported public import Foundation
