import CoreData
import Seam3

/// Tags with a natural key, their name, and a color.
enum TagModel {
    static func make() -> NSManagedObjectModel {
        let tag = NSEntityDescription(
            "Tag",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("color", .stringAttributeType),
            ])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        return NSManagedObjectModel(tag)
    }
}
