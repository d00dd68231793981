// error: to expected argument type 'NSObject'
import CoreData

func track(_ description: NSPersistentStoreDescription) {
    description.setOption(true, forKey: NSPersistentHistoryTrackingKey)
}
