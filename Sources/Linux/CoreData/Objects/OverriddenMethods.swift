internal import SwiftRuntime

/// The methods that a class overrides, among those that a save calls for each object or each value.
///
/// `NSManagedObject`'s own methods do nothing, or have known results. If no class overrides them, a
/// save of many objects need not call them.
struct OverriddenMethods: OptionSet {
    let rawValue: UInt8

    static let willSave = OverriddenMethods(rawValue: 1 << 0)
    static let didSave = OverriddenMethods(rawValue: 1 << 1)
    static let validateValue = OverriddenMethods(rawValue: 1 << 2)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Compares the methods of a class with those of `NSManagedObject`.
    init(of type: NSManagedObject.Type) {
        self = []
        let own = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let base = unsafeBitCast(NSManagedObject.self, to: UnsafeRawPointer.self)
        if willSaveMethod(own) != willSaveMethod(base) { insert(.willSave) }
        if didSaveMethod(own) != didSaveMethod(base) { insert(.didSave) }
        if validateValueMethod(own) != validateValueMethod(base) { insert(.validateValue) }
    }
}

extension NSManagedObject {
    /// Which methods the object's class overrides.
    final var overriddenMethods: OverriddenMethods {
        let type = Swift.type(of: self)
        if let known = layout.managedObjectClass.load(), known.type == type {
            return known.overriddenMethods
        }
        return OverriddenMethods(of: type)
    }
}

extension ObjectSet {
    /// Which methods the class of any of the objects overrides.
    var overriddenMethods: OverriddenMethods {
        var methods: OverriddenMethods = []
        var known: Set<ObjectIdentifier> = []
        var last: NSManagedObject.Type?
        for object in objects {
            let type = Swift.type(of: object)
            guard type != last else { continue }
            last = type
            if known.insert(ObjectIdentifier(type)).inserted {
                methods.formUnion(object.overriddenMethods)
            }
        }
        return methods
    }
}
