// error: may have additional unknown values
// language-mode: 6
import CoreData

func name(_ change: NSFetchedResultsChangeType) -> String {
    switch change {
    case .insert: "insertion"
    case .delete: "deletion"
    case .move: "move"
    case .update: "update"
    }
}
