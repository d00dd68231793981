import FoundationGaps
import NumberTables

/// The living objects of a context by their IDs.
///
/// Objects of rows with numbers, which most are, lie in a table for each entity and store; all others
/// in a dictionary.
final class ObjectRegistry {
    private typealias Reference = LightReference<NSManagedObject>

    /// The objects of an entity in a store.
    private final class Rows {
        let entity: NSEntityDescription
        let store: StoreReference?
        let objects = NumberTable<Reference>()

        init(_ entity: NSEntityDescription, _ store: StoreReference?) {
            self.entity = entity
            self.store = store
        }
    }

    private struct TableKey: Hashable {
        let entity: ObjectIdentifier
        let store: ObjectIdentifier?

        init(_ objectID: NSManagedObjectID) {
            entity = ObjectIdentifier(objectID.entity)
            store = objectID.storeReference.map { ObjectIdentifier($0) }
        }
    }

    private var tables: [TableKey: Rows] = [:]
    /// The table that was used last: what follows is mostly of the same entity.
    private var last: Rows?
    private var others: [NSManagedObjectID.Key: Reference] = [:]

    /// How many objects there are, those included that have died and were not removed yet.
    var count: Int { tables.values.reduce(others.count) { $0 + $1.objects.count } }

    /// The object with an ID, if it lives.
    func object(for objectID: NSManagedObjectID) -> NSManagedObject? {
        guard case .decimal(let number) = objectID.reference else {
            return others[.init(objectID)]?.object
        }
        return table(of: objectID)?.objects.change(number) { $0.object } ?? nil
    }

    /// Enters an object.
    ///
    /// - Returns: Whether the ID had an object, perhaps one that has died.
    @discardableResult
    func enter(_ object: NSManagedObject, as objectID: NSManagedObjectID) -> Bool {
        guard case .decimal(let number) = objectID.reference else {
            return others.updateValue(Reference(object), forKey: .init(objectID)) != nil
        }
        return newTable(of: objectID).objects.update(Reference(object), for: number) != nil
    }

    /// Removes what an ID stands for.
    func remove(_ objectID: NSManagedObjectID) {
        guard case .decimal(let number) = objectID.reference else {
            others[.init(objectID)] = nil
            return
        }
        table(of: objectID)?.objects.remove(number)
    }

    /// Removes what an ID stands for if it has died, and not a living object under the same ID.
    ///
    /// - Returns: Whether there was something to remove.
    func removeDead(_ objectID: NSManagedObjectID) -> Bool {
        guard case .decimal(let number) = objectID.reference else {
            let key = NSManagedObjectID.Key(objectID)
            guard let index = others.index(forKey: key), others.values[index].object == nil else {
                return false
            }
            others.remove(at: index)
            return true
        }
        return table(of: objectID)?.objects.remove(number) { $0.object == nil } ?? false
    }

    /// Removes everything.
    func removeAll() {
        tables = [:]
        last = nil
        others = [:]
    }

    /// Makes room for more objects of an entity in a store.
    func reserve(_ count: Int, like objectID: NSManagedObjectID) {
        guard case .decimal = objectID.reference else { return }
        let objects = newTable(of: objectID).objects
        objects.reserve(objects.count + count)
    }

    /// The objects that live.
    var objects: [NSManagedObject] {
        var objects = others.values.compactMap(\.object)
        objects.reserveCapacity(count)
        for table in tables.values {
            table.objects.forEach { _, reference in
                if let object = reference.object { objects.append(object) }
            }
        }
        return objects
    }

    /// The IDs of the objects that have died.
    var deadIDs: [NSManagedObjectID] {
        var objectIDs = others.filter { $1.object == nil }.map(\.key.objectID)
        for table in tables.values {
            table.objects.forEach { number, reference in
                guard reference.object == nil else { return }
                objectIDs.append(
                    NSManagedObjectID(
                        entity: table.entity, reference: .decimal(number), store: table.store))
            }
        }
        return objectIDs
    }

    // MARK: - Tables

    private func table(of objectID: NSManagedObjectID) -> Rows? {
        if let last, last.entity === objectID.entity, last.store === objectID.storeReference {
            return last
        }
        guard let table = tables[TableKey(objectID)] else { return nil }
        last = table
        return table
    }

    private func newTable(of objectID: NSManagedObjectID) -> Rows {
        if let table = table(of: objectID) { return table }
        let table = Rows(objectID.entity, objectID.storeReference)
        tables[TableKey(objectID)] = table
        last = table
        return table
    }
}
