// error: has no member 'serverWins'
import Seam3

let policy = SMSyncConflictResolutionPolicy.serverWins
