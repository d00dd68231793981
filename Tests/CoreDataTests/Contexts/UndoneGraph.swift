import CoreData

/// Lists and items with every kind of relationship, and the changes of them that a test undoes.
enum UndoneGraph {
    /// A kind of relationship.
    enum Link: CaseIterable {
        case toOne, oneToOne, manyToMany, ordered, orderedManyToMany, tree, reflexive, symmetric
        case toOneWithoutInverse, toManyWithoutInverse

        /// The name of the list's relationship.
        var name: String { "\(self)" }

        /// The name of the inverse.
        var inverseName: String? {
            switch self {
            case .symmetric: name
            case .toOneWithoutInverse, .toManyWithoutInverse: nil
            default: name + "Inverse"
            }
        }

        var isToMany: Bool { self != .oneToOne && self != .toOneWithoutInverse }
        var isInverseToMany: Bool {
            [.manyToMany, .orderedManyToMany, .reflexive].contains(self)
        }
        var isOrdered: Bool { self == .ordered || self == .orderedManyToMany }
        /// Whether it leads from lists to lists.
        var isAmongLists: Bool { [.tree, .reflexive, .symmetric].contains(self) }
    }

    /// A change of the graph.
    enum Change: CaseIterable {
        case insertionOfAll, insertionOfList, insertionOfItem
        case deletionOfList, deletionOfItem, deletionOfAll, cascade

        var isInsertion: Bool {
            [.insertionOfAll, .insertionOfList, .insertionOfItem].contains(self)
        }
    }

    static func model(cascades: Bool) -> NSManagedObjectModel {
        let entities = ["List", "Item"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [TestModel.attribute("name", .stringAttributeType)]
            return entity
        }
        for link in Link.allCases {
            let destination = entities[link.isAmongLists ? 0 : 1]
            let relationship = NSRelationshipDescription()
            relationship.name = link.name
            relationship.maxCount = link.isToMany ? 0 : 1
            relationship.isOrdered = link.isOrdered
            relationship.destinationEntity = destination
            if cascades { relationship.deleteRule = .cascadeDeleteRule }
            entities[0].properties.append(relationship)
            guard let inverseName = link.inverseName else { continue }
            guard inverseName != link.name else {
                relationship.inverseRelationship = relationship
                continue
            }
            let inverse = NSRelationshipDescription()
            inverse.name = inverseName
            inverse.maxCount = link.isInverseToMany ? 0 : 1
            inverse.destinationEntity = entities[0]
            inverse.inverseRelationship = relationship
            relationship.inverseRelationship = inverse
            destination.properties.append(inverse)
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// The objects of the graph in a context; nil for those that a change has yet to insert.
    struct Objects {
        let context: NSManagedObjectContext
        var list: NSManagedObject?
        var otherList: NSManagedObject?
        var items: [NSManagedObject?] = [nil, nil, nil]

        init(in context: NSManagedObjectContext) {
            self.context = context
        }

        private func insert(_ entity: String, _ name: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(name, forKey: "name")
            return object
        }

        /// Inserts what exists before a change.
        mutating func insertFormer(_ change: Change, _ link: Link) {
            guard change != .insertionOfAll else { return }
            otherList = insert("List", "other")
            if change != .insertionOfList { list = insert("List", "list") }
            items = (0..<3).map { number in
                let isNew = number == 1 && change == .insertionOfItem
                return isNew ? nil : insert("Item", "\(number)")
            }
            if change != .insertionOfList { connect(link) }
        }

        /// Inserts or deletes objects.
        mutating func make(_ change: Change, _ link: Link) {
            if change.isInsertion {
                list = list ?? insert("List", "list")
                otherList = otherList ?? insert("List", "other")
                items = items.enumerated().map { $1 ?? insert("Item", "\($0)") }
                return connect(link)
            }
            let deleted: [NSManagedObject?] =
                switch change {
                case .deletionOfItem: link.isAmongLists ? [otherList] : [items[1]]
                case .deletionOfAll: items + [list, otherList]
                default: [list]
                }
            for case let object? in deleted { context.delete(object) }
        }

        /// Connects the objects that exist.
        private func connect(_ link: Link) {
            guard let list, let otherList else { return }
            let members = [items[2], items[1], items[0]].compactMap { $0 }
            switch link {
            case .toOneWithoutInverse, .oneToOne: list.setValue(items[1], forKey: link.name)
            case .toOne, .toManyWithoutInverse:
                list.setValue(NSSet(array: members), forKey: link.name)
            case .manyToMany:
                for item in members {
                    item.setValue(NSSet(array: [list, otherList]), forKey: link.name + "Inverse")
                }
            case .ordered, .orderedManyToMany:
                list.setValue(NSOrderedSet(array: members), forKey: link.name)
            case .tree: otherList.setValue(list, forKey: link.name + "Inverse")
            case .reflexive, .symmetric:
                list.setValue(NSSet(array: [list, otherList]), forKey: link.name)
            }
        }

        /// The same objects in another context, as faults.
        func copies(in other: NSManagedObjectContext) -> Objects {
            func copy(_ object: NSManagedObject?) -> NSManagedObject? {
                object.map { other.object(with: $0.objectID) }
            }
            var copies = Objects(in: other)
            copies.list = copy(list)
            copies.otherList = copy(otherList)
            copies.items = items.map(copy)
            return copies
        }
    }

    /// Inserts, deletes, names, connects or disconnects an object, by relationships with an inverse.
    static func changeAtRandom(
        _ context: NSManagedObjectContext, naming name: String,
        using generator: inout some RandomNumberGenerator
    ) throws {
        func all(_ entity: String) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request)
        }
        let (lists, items) = (try all("List"), try all("Item"))
        let choice = Int.random(in: 0..<9, using: &generator)
        if choice < 2 || lists.isEmpty || items.isEmpty {
            let entity = Bool.random(using: &generator) || lists.isEmpty ? "List" : "Item"
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            return object.setValue(name, forKey: "name")
        }
        guard let object = (lists + items).randomElement(using: &generator),
            let list = lists.randomElement(using: &generator),
            let link = Link.allCases.randomElement(using: &generator), link.inverseName != nil,
            let member = (link.isAmongLists ? lists : items).randomElement(using: &generator)
        else { return }
        if choice == 2 { return context.delete(object) }
        if choice == 3 { return object.setValue(name, forKey: "name") }
        if link.isOrdered {
            let members = list.mutableOrderedSetValue(forKey: link.name)
            if members.contains(member) {
                members.remove(member)
            } else {
                members.insert(member, at: 0)
            }
        } else if link.isToMany {
            let members = list.mutableSetValue(forKey: link.name)
            if members.contains(member) { members.remove(member) } else { members.add(member) }
        } else {
            list.setValue(choice < 6 ? member : nil, forKey: link.name)
        }
    }

    /// Every object and both ends of its relationships, without objects that are gone.
    static func lines(in context: NSManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for entity in ["Item", "List"] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            for object in try context.fetch(request) {
                var line = "\(entity) \(name(of: object)):"
                for (name, relationship) in object.entity.relationshipsByName.sorted(by: {
                    $0.key < $1.key
                }) {
                    let names = names(of: object.value(forKey: name))
                    if names.isEmpty { continue }
                    let sorted = relationship.isOrdered ? names : names.sorted()
                    line += " \(name)=\(sorted.joined(separator: ","))"
                }
                lines.append(line)
            }
        }
        return lines
    }

    private static func names(of value: Any?) -> [String] {
        let objects: [Any] =
            switch value {
            case let set as NSOrderedSet: set.array
            case let set as NSSet: set.allObjects
            case let set as Set<NSManagedObject>: Array(set)
            default: [value].compactMap { $0 }
            }
        return objects.compactMap { $0 as? NSManagedObject }
            .map { (name: name(of: $0), isGone: $0.isDeleted || $0.managedObjectContext == nil) }
            .filter { !$0.isGone }.map(\.name)
    }

    private static func name(of object: NSManagedObject) -> String {
        object.value(forKey: "name") as? String ?? "nil"
    }
}
