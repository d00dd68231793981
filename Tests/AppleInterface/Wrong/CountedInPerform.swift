// warning: mutation of captured var 'count' in concurrently-executing code
// language-mode: 6
import CoreData

func count(_ context: NSManagedObjectContext) -> Int {
    var count = 0
    context.perform { count += 1 }
    return count
}
