// Clients of CoreData and CloudKit see Apple's Foundation without importing it.
@_exported public import Foundation
