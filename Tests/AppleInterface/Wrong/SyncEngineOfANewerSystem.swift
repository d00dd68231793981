// error: is only available in macOS 14
import CloudKit

func sync(_ engine: CKSyncEngine) {}
