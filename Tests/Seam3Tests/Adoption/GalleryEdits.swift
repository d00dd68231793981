import CoreData
import SeededRandom

/// What a user does to the objects of `GalleryModel`, at random.
struct GalleryEdits {
    private var random: SeededGenerator
    private var counter = 0
    private(set) var log: [String] = []

    init(_ random: inout SeededGenerator) {
        self.random = SeededGenerator(seed: random.next())
    }

    /// Edits a few objects in a context and does not save.
    ///
    /// - Parameters:
    ///   - owner: The user whose objects are edited.
    ///   - shared: Another one, to whose albums photos may be moved.
    mutating func edit(
        _ context: NSManagedObjectContext, as owner: String, sharing shared: String
    ) throws {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let objects = try GalleryModel.entities.flatMap { try Device.all($0, in: context) }
                .sorted { ShownObjects.key(of: $0) < ShownObjects.key(of: $1) }
            let own = objects.filter { ShownObjects.key(of: $0).hasPrefix(owner) }
            let albums = objects.filter {
                let key = ShownObjects.key(of: $0)
                return $0.entity.name == "Album" && (key.hasPrefix(owner) || key.hasPrefix(shared))
            }
            edit(own, albums, as: owner, context)
        }
    }

    private mutating func edit(
        _ objects: [NSManagedObject], _ albums: [NSManagedObject], as owner: String,
        _ context: NSManagedObjectContext
    ) {
        let photo = objects.filter { $0.entity.name == "Photo" }.randomElement(using: &random)
        let frame = objects.filter { $0.entity.name == "Frame" }.randomElement(using: &random)
        let removes = Int.random(in: 0..<3, using: &random) == 0
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5:
            guard let object = objects.randomElement(using: &random) else { return }
            setAttribute(of: object, toNil: removes)
        case 5, 6: set("album", of: photo, to: removes ? nil : albums.randomElement(using: &random))
        case 7, 8: set("frame", of: photo, to: removes ? nil : frame)
        case 9: set("photo", of: frame, to: removes ? nil : photo)
        case 10:
            guard let object = objects.randomElement(using: &random) else { return }
            log.append("\(ShownObjects.key(of: object)) deleted")
            context.delete(object)
        default:
            let entity = GalleryModel.entities.randomElement(using: &random) ?? "Photo"
            counter += 1
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue("\(owner)-new-\(counter)", forKey: "key")
            log.append("\(entity) \(ShownObjects.key(of: object)) inserted")
            setAttribute(of: object, toNil: false)
            guard entity == "Photo" else { return }
            set("album", of: object, to: removes ? nil : albums.randomElement(using: &random))
            if Bool.random(using: &random) { set("frame", of: object, to: frame) }
        }
    }

    private mutating func setAttribute(of object: NSManagedObject, toNil: Bool) {
        let attributes = object.entity.attributesByName.filter { $0.key != "key" }
            .sorted { $0.key < $1.key }
        guard let (name, attribute) = attributes.randomElement(using: &random) else { return }
        counter += 1
        let key = ShownObjects.key(of: object)
        if toNil, attribute.isOptional {
            log.append("\(key).\(name) = nil")
            object.setValue(nil, forKey: name)
            return
        }
        let value: Any =
            switch attribute.attributeType {
            case .doubleAttributeType: Double(counter) + 1000.25
            case .dateAttributeType:
                Date(timeIntervalSinceReferenceDate: Double(counter) + 1000.25)
            default: "edit \(counter)"
            }
        log.append("\(key).\(name) = \(value)")
        object.setValue(value, forKey: name)
    }

    private mutating func set(
        _ relationship: String, of object: NSManagedObject?, to destination: NSManagedObject?
    ) {
        guard let object else { return }
        let name = destination.map(ShownObjects.key(of:)) ?? "nil"
        log.append("\(ShownObjects.key(of: object)).\(relationship) = \(name)")
        object.setValue(destination, forKey: relationship)
    }
}
