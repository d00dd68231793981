// error: main actor-isolated initializer 'init(_:)'
// language-mode: 6
import Seam3

func watch(_ store: SMStore) -> SMSyncMonitor { SMSyncMonitor(store) }
