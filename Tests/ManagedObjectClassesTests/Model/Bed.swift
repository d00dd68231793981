// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import CoreData

public class Bed: NSManagedObject {
    @NSManaged public var label: String?
    @NSManaged public var plants: NSSet?
    @NSManaged var rows: NSOrderedSet?
}

// Custom accessors over the primitive values.
extension Bed {
    @NSManaged private var primitivePlants: NSMutableSet?
    @NSManaged private var primitiveRows: NSMutableOrderedSet

    func plant(_ plants: Set<Plant>) {
        willChangeValue(forKey: "plants", withSetMutation: .union, using: plants)
        primitivePlants?.union(plants)
        didChangeValue(forKey: "plants", withSetMutation: .union, using: plants)
    }

    func dig(_ row: Row) {
        willChange(.insertion, valuesAt: [0], forKey: "rows")
        primitiveRows.insert(row, at: 0)
        didChange(.insertion, valuesAt: [0], forKey: "rows")
    }
}

extension Bed {
    @NSManaged public func addToPlants(_ value: Plant)
    @NSManaged public func removeFromPlants(_ value: Plant)
    @NSManaged public func addToPlants(_ values: NSSet)
    @NSManaged public func removeFromPlants(_ values: NSSet)
}

extension Bed {
    @NSManaged func insertIntoRows(_ value: Row, at idx: Int)
    @NSManaged func removeFromRows(at idx: Int)
    @NSManaged func insertIntoRows(_ values: [Row], at indexes: NSIndexSet)
    @NSManaged func removeFromRows(at indexes: NSIndexSet)
    @NSManaged func replaceRows(at idx: Int, with value: Row)
    @NSManaged func replaceRows(at indexes: NSIndexSet, with values: [Row])
    @NSManaged func addToRows(_ value: Row)
    @NSManaged func removeFromRows(_ value: Row)
    @NSManaged func addToRows(_ values: NSOrderedSet)
    @NSManaged func removeFromRows(_ values: NSOrderedSet)
}

final class Row: NSManagedObject {
    @NSManaged var number: Int32, bed: Bed?
}

public class Helper: NSManagedObject {}
