// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import CoreData

extension Plant {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Plant> {
        NSFetchRequest<Plant>(entityName: "Plant")
    }

    @NSManaged public var planted: Date?
    @NSManaged public var identifier: UUID?
    @NSManaged var link: URL?
    @NSManaged var blob: Data?
    @NSManaged var price: NSDecimalNumber?
    @NSManaged var rating: NSNumber?
    @NSManaged var tags: [String]?
    @NSManaged public var bed: Bed?
    @NSManaged var harvests: Set<Harvest>
    @NSManaged fileprivate var primitivePlanted: Date?

    func plantWithoutNotice(_ date: Date) { primitivePlanted = date }
}

// MARK: Generated accessors for harvests
extension Plant {
    #if canImport(ObjectiveC)
    @objc(addHarvestsObject:)
    #endif
    @NSManaged func addToHarvests(_ value: Harvest)

    @NSManaged func removeFromHarvests(_ value: Harvest)
    @NSManaged func addToHarvests(_ values: Set<Harvest>)
    @NSManaged func removeFromHarvests(_ values: NSSet)
}
