// error: type 'Int' does not conform to protocol 'NSFetchRequestResult'
import CoreData

let request = NSFetchRequest<Int>(entityName: "Note")
