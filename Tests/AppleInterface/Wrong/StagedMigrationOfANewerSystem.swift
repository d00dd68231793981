// error: is only available in tvOS 17
// system: tvos
import CoreData

func stages() -> NSStagedMigrationManager { NSStagedMigrationManager([]) }
