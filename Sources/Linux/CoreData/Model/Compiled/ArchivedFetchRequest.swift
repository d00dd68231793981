import FoundationGaps

/// The settings of an archived fetch request.
struct ArchivedFetchRequest {
    private let object: ArchivedObject

    init(_ object: ArchivedObject) {
        self.object = object
    }

    /// The index of the archived entity.
    var entityIndex: Int? { object.object("NSEntity")?.index }

    /// Reads everything but the entity.
    func read(into request: NSFetchRequest<any NSFetchRequestResult>) throws {
        request.predicate = try object.object("NSPredicate").map(ArchivedPredicate.predicate)
        let descriptors = object.objects("NSSortDescriptors").map(sortDescriptor)
        request.sortDescriptors = descriptors.isEmpty ? nil : descriptors
        request.fetchLimit = object.integer("NSFetchLimit") ?? 0
        request.fetchOffset = object.integer("NSFetchOffset") ?? 0
        request.fetchBatchSize = object.integer("NSBatchSize") ?? 0
        request.resultType = NSFetchRequestResultType(
            rawValue: UInt(exactly: object.integer("NSResultType") ?? 0) ?? 0)
    }

    private func sortDescriptor(_ object: ArchivedObject) -> NSSortDescriptor {
        let key = object.string("NSKey")
        let ascending = object.boolean("NSAscending")
        guard let selector = object.string("NSSelector"), selector != "compare:" else {
            return NSSortDescriptor(key: key, ascending: ascending)
        }
        return NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selector))
    }
}
