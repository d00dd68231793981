// error: is only available in macOS 14
import CoreData

func checksum(_ model: NSManagedObjectModel) -> String { model.versionChecksum }
