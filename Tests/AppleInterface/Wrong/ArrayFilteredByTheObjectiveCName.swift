// error: has no member 'filteredArray'
import Foundation

func matches(_ objects: NSArray, _ predicate: NSPredicate) -> [Any] {
    objects.filteredArray(using: predicate)
}
