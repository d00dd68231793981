import FoundationGaps

/// The class of an entity's objects, found by the name in the model.
final class ManagedObjectClass: Sendable {
    let type: NSManagedObject.Type
    let overriddenMethods: OverriddenMethods

    init(_ type: NSManagedObject.Type) {
        self.type = type
        overriddenMethods = OverriddenMethods(of: type)
    }
}

extension EntityLayout {
    /// The class of an entity's objects.
    ///
    /// As on Apple's systems, an entity whose class is not in the process gets plain managed
    /// objects.
    func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
        if let found = managedObjectClass.load() { return found.type }
        let found = ManagedObjectClass.named(entity.managedObjectClassName)
        return managedObjectClass.storeIfNil(ManagedObjectClass(found)).type
    }
}

extension ManagedObjectClass {
    /// Finds a class by its name in a model: `Clock`, `.Clock` (Xcode's spelling for the current
    /// module) or `Module.Clock`.
    ///
    /// Without a module, the modules of the program are searched: the one that is named like the
    /// executable first, the others in the order of their names.
    static func named(_ name: String) -> NSManagedObject.Type {
        if name == "NSManagedObject" || name.isEmpty { return NSManagedObject.self }
        return LoadedModules.shared.subclass(named: name, of: NSManagedObject.self)
            ?? NSManagedObject.self
    }
}

extension LoadedModules {
    /// A class by its name, with or without its module; see `ManagedObjectClass.named(_:)`.
    func subclass<Base: AnyObject>(named name: String, of base: Base.Type) -> Base.Type? {
        var name = name
        if name.hasPrefix(".") { name.removeFirst() }
        if name.contains("."), let type = NSClassFromString(name) as? Base.Type { return type }
        let simpleName = name.split(separator: ".").last.map(String.init) ?? name
        for module in names(declaring: simpleName) {
            if let type = NSClassFromString("\(module).\(simpleName)") as? Base.Type {
                return type
            }
        }
        return nil
    }
}

/// The models in use, for finding the entity of a class.
final class EntityRegistry: Sendable {
    static let shared = EntityRegistry()

    private struct Reference: @unchecked Sendable {
        // Unchecked because a model in use is immutable, and weak references are atomic.
        weak var model: NSManagedObjectModel?
    }

    private let models = Locked<[Reference]>([])

    /// Registers a model as long as it lives.
    func register(_ model: NSManagedObjectModel) {
        let reference = Reference(model: model)
        models.withLock { models in
            models.removeAll { $0.model == nil || $0.model === reference.model }
            models.append(reference)
        }
    }

    /// Writes to standard error that no model has an entity for a class, as Apple's framework does.
    static func reportMissingEntity(of type: NSManagedObject.Type) {
        let text =
            "CoreData: error: +[\(type) entity] Failed to find a unique match for an "
            + "NSEntityDescription to a managed object subclass\n"
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// The entity of a class in the model that was put into use last.
    func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        let references = models.withLock { $0 }
        return references.reversed().lazy.compactMap { $0.model?.entity(for: type) }.first
    }
}

extension NSManagedObjectModel {
    /// The entity whose objects are of the given class.
    final func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        // The base class may belong to many entities, so it identifies none.
        if type == NSManagedObject.self { return nil }
        return entities.first { $0.layout.objectClass(of: $0) == type }
    }
}
