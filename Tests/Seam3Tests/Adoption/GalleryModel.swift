import CoreData

/// Photos, each in an album and in a frame, which is a one-to-one relationship. The attribute `key` identifies
/// an object to a test and never changes.
enum GalleryModel {
    /// What has changed in the model since Seam3 1.
    enum Change: CaseIterable { case nothing, addedOptional, addedRequired, renamed }

    static let entities = ["Photo", "Album", "Frame"]
    /// The value of the required attribute that was added.
    static let added = "home"
    static let dates: Set<String> = ["taken", "opened"]
    /// The attributes of each entity as of Seam3 1, without the key.
    static let attributes = [
        "Photo": ["name", "note", "rating", "taken"], "Album": ["name", "opened"],
        "Frame": ["color", "width"],
    ]

    static func make(_ change: Change = .nothing) -> NSManagedObjectModel {
        let descriptions = entities.map { entity in
            NSEntityDescription(
                entity, ["key"].map(attribute) + (attributes[entity] ?? []).map(attribute))
        }
        let (photo, album, frame) = (descriptions[0], descriptions[1], descriptions[2])
        NSRelationshipDescription.join((photo, "album", 1), (album, "photos", 0))
        NSRelationshipDescription.join((photo, "frame", 1), (frame, "photo", 1))
        switch change {
        case .nothing: break
        case .addedOptional: photo.properties.append(attribute("place"))
        case .addedRequired:
            let place = attribute("place")
            place.isOptional = false
            place.defaultValue = added
            photo.properties.append(place)
        case .renamed:
            let note = photo.attributesByName["note"]
            note?.renamingIdentifier = "note"
            note?.name = "remark"
        }
        return NSManagedObjectModel(photo, album, frame)
    }

    private static func attribute(_ name: String) -> NSAttributeDescription {
        switch name {
        case "taken", "opened": NSAttributeDescription(name, .dateAttributeType)
        case "rating", "width": NSAttributeDescription(name, .doubleAttributeType)
        default: NSAttributeDescription(name, .stringAttributeType)
        }
    }
}
