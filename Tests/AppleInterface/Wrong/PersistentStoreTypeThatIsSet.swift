// error: cannot assign to property: 'type' is a get-only property
import CoreData

func rename(_ store: NSIncrementalStore) { store.type = "Other" }
