import CoreData

/// What a device shows, in words that do not depend on today's names.
extension SyncedDevice {
    /// A line for each object.
    ///
    /// - Parameter onlySynced: Whether to leave out what stays on the device.
    func lines(onlySynced: Bool = false) throws -> [String] {
        try perform { context in
            try ModelRoles.roots.flatMap { root in
                try objects(root, in: context).map {
                    description(of: $0, root, onlySynced: onlySynced)
                }
            }.sorted()
        }
    }

    private func objects(
        _ entity: String, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name(entity)))
    }

    func description(
        of object: NSManagedObject, _ root: String, onlySynced: Bool = false
    ) -> String {
        func shows(_ role: String) -> Bool {
            // What is derived from something that stays on the device does so, too.
            let isDerived = ModelRoles.attribute(role)?.kind == .uppercase
            return has(role)
                && (!onlySynced || plan.syncs(isDerived ? "Item.title" : role, level: level))
        }
        let isGadget = root == "Item" && object.entity.name == name("Gadget")
        let entities = isGadget ? ["Item", "Gadget"] : [root]
        let values = ModelRoles.attributes.filter {
            entities.contains($0.entity) && !$0.isKey && shows($0.role)
        }.map { attribute in
            var value = object.value(forKey: name(attribute.role))
            if attribute.kind == .composite { value = firstNames(value, of: attribute.role) }
            return "\(ModelRoles.firstName(attribute.role))=\(Self.text(value))"
        }
        let links = ModelRoles.links.filter { $0.entity == root && shows($0.role) }.map {
            "\(ModelRoles.firstName($0.role))=\(destinations(of: $0, object))"
        }
        return ([isGadget ? "Gadget" : root, key(of: object, root)] + values + links)
            .joined(separator: " ")
    }

    private func key(of object: NSManagedObject, _ root: String) -> String {
        object.value(forKey: name(root + ".key")) as? String ?? "?"
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: return "nil"
        case let data as Data:
            let isRepeated = Set(data).count < 2
            return "\(data.count)x\(data.first ?? 0)\(isRepeated ? "" : "?")"
        case let date as Date: return "@\(date.timeIntervalSinceReferenceDate)"
        case let elements as [String: Any]:
            let texts = elements.sorted { $0.key < $1.key }.map { "\($0.key):\(text($0.value))" }
            return "[\(texts.joined(separator: ","))]"
        case let words as [String]: return "[\(words.joined(separator: ","))]"
        case let value?: return "\(value)"
        }
    }

    private func destinations(of link: LinkRole, _ object: NSManagedObject) -> String {
        let value = object.value(forKey: name(link.role))
        let root = ModelRoles.root(of: link.destination)
        switch value {
        case let object as NSManagedObject: return key(of: object, root)
        case let objects as NSOrderedSet:
            return objects.array.compactMap { $0 as? NSManagedObject }
                .map { key(of: $0, root) }.joined(separator: ",")
        case let objects as Set<NSManagedObject>:
            return objects.map { key(of: $0, root) }.sorted().joined(separator: ",")
        default: return "nil"
        }
    }

    // MARK: - Invariants

    /// What is wrong with the file.
    func damages() throws -> [String] {
        var damages = try store.checkInvariants().map { "\($0.rule.rawValue): \($0.reason)" }
        let values = try largeValues()
        // Equal values may share a file.
        if !(Set(values).count...values.count).contains(largeFileCount) {
            damages.append("there are \(largeFileCount) files for \(values.count) large values")
        }
        return damages
    }

    private func largeValues() throws -> [Data] {
        try perform { context in
            try ModelRoles.attributes.filter { $0.kind == .blob && has($0.role) }.flatMap {
                attribute in
                try objects(attribute.entity, in: context)
                    .compactMap { $0.value(forKey: name(attribute.role)) as? Data }
                    .filter { $0.count > AttributeRole.inlineLimit }
            }
        }
    }
}
