import CoreData

/// A number that is out of its type's range. It has come with a record from a device whose model is newer.
///
/// The mapping model copies it, but Core Data refuses to save an object with such a value. So it is taken from the
/// object for that time.
struct UnfitNumber {
    private let pk: Int64
    private let attribute: String
    private let number: Int64

    /// Takes all such numbers from a new object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - pk: Its number.
    ///   - source: The object that it was created from.
    ///   - copied: The properties that the mapping model copies. A number that it computes is left to Core Data.
    static func takeAll(
        from object: NSManagedObject, _ pk: Int64, copiedFrom source: NSManagedObject,
        _ copied: CopiedProperties
    ) -> [UnfitNumber] {
        guard let old = source.entity.name, let new = object.entity.name else { return [] }
        return object.entity.attributesByName.compactMap { name, attribute in
            guard let range = AttributeKind(attribute.attributeType)?.integerRange,
                let number = object.value(forKey: name) as? NSNumber,
                !range.contains(number.int64Value),
                let oldName = copied.oldName(of: name, from: old, to: new),
                source.value(forKey: oldName) as? NSNumber == number
            else { return nil }
            object.setValue(
                attribute.isOptional ? nil : attribute.defaultValue ?? NSNumber(value: 0),
                forKey: name)
            return UnfitNumber(pk: pk, attribute: name, number: number.int64Value)
        }
    }

    /// Puts the number into the object's row.
    func putBack(in database: StoreDatabase) throws {
        guard
            let entity = try database.schema.entity(number: database.objects.entry(pk)?.entity),
            var row = try database.rows.row(pk, of: entity),
            let column = entity.attribute(named: attribute)
        else { return }
        row.values[column.index] = .integer(number)
        _ = try database.rows.update(
            row, columnsAt: [column.index], expectedVersion: row.version)
    }
}
