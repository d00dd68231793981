import FoundationGaps
import NumberTables

/// The existing objects of a context by their IDs.
///
/// Objects of rows with numeric keys, which are the most common ones, are in a table for each
/// entity and store, and all others in a dictionary.
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
    /// The last used table, because the next object usually belongs to the same entity.
    private var last: Rows?
    private var others: [NSManagedObjectID.Key: Reference] = [:]

    /// The number of objects, including deallocated ones that have not been removed yet.
    var count: Int { tables.values.reduce(others.count) { $0 + $1.objects.count } }

    /// The object with an ID, if it still exists.
    func object(for objectID: NSManagedObjectID) -> NSManagedObject? {
        guard case .decimal(let number) = objectID.reference else {
            return others[.init(objectID)]?.object
        }
        return table(of: objectID)?.objects.change(number) { $0.object } ?? nil
    }

    /// Registers an object.
    ///
    /// - Returns: Whether the ID already had an object, possibly a deallocated one.
    @discardableResult
    func enter(_ object: NSManagedObject, as objectID: NSManagedObjectID) -> Bool {
        guard case .decimal(let number) = objectID.reference else {
            return others.updateValue(Reference(object), forKey: .init(objectID)) != nil
        }
        return newTable(of: objectID).objects.update(Reference(object), for: number) != nil
    }

    /// Removes the object with an ID.
    func remove(_ objectID: NSManagedObjectID) {
        guard case .decimal(let number) = objectID.reference else {
            others[.init(objectID)] = nil
            return
        }
        table(of: objectID)?.objects.remove(number)
    }

    /// Removes the entry of an ID if its object has been deallocated, and not if a new object has
    /// the same ID.
    ///
    /// - Returns: Whether an entry was removed.
    func removeDead(_ objectID: NSManagedObjectID) -> Bool {
        guard case .decimal(let number) = objectID.reference else {
            let key = NSManagedObjectID.Key(objectID)
            guard let index = others.index(forKey: key), others.values[index].object == nil else {
                return false
            }
            others.remove(at: index)
            return true
        }
        guard let objects = table(of: objectID)?.objects,
            objects.change(number, { $0.object == nil }) == true
        else { return false }
        objects.remove(number)
        return true
    }

    /// Removes everything.
    func removeAll() {
        tables = [:]
        last = nil
        others = [:]
    }

    /// Reserves capacity for more objects of an entity in a store.
    func reserve(_ count: Int, like objectID: NSManagedObjectID) {
        guard case .decimal = objectID.reference else { return }
        let objects = newTable(of: objectID).objects
        objects.reserve(objects.count + count)
    }

    /// The objects that still exist.
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

    /// The IDs of deallocated objects.
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
