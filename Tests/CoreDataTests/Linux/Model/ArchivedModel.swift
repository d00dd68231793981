import CoreData
import CoreDataFiles

extension ArchiveValue {
    /// A compiled model with the entity "Item" and its attribute "size".
    ///
    /// - Parameters:
    ///   - attribute: Additional values of the attribute, which replace existing ones.
    ///   - entity: The same for the entity.
    static func model(
        attribute: [String: ArchiveValue] = [:], entity: [String: ArchiveValue] = [:]
    ) -> Data {
        let size = ArchiveValue.object(
            "NSAttributeDescription",
            ["NSPropertyName": "size", "NSAttributeType": 100, "NSIsOptional": true]
                .merging(attribute) { $1 })
        let item = ArchiveValue.object(
            "NSEntityDescription",
            ["NSEntityName": "Item", "NSProperties": .dictionary([("size", size)])]
                .merging(entity) { $1 })
        return KeyedArchiveWriter.archive(
            .object("NSManagedObjectModel", ["NSEntities": .dictionary([("Item", item)])]))
    }
}
