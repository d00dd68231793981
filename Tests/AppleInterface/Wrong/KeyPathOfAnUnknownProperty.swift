// error: type 'NSPersistentStore' has no member 'nonsense'
import CoreData

let key = #keyPath(NSPersistentStore.nonsense)
