import FoundationGaps

/// The variable of a mapping's expressions that holds the migration manager.
public let NSMigrationManagerKey: String = "manager"
/// The variable of a mapping's expressions that holds the source object.
public let NSMigrationSourceObjectKey: String = "source"
/// The variable of a mapping's expressions that holds the destination object.
public let NSMigrationDestinationObjectKey: String = "destination"
/// The variable of a mapping's expressions that holds the entity mapping.
public let NSMigrationEntityMappingKey: String = "entityMapping"
/// The variable of a mapping's expressions that holds the property mapping.
public let NSMigrationPropertyMappingKey: String = "propertyMapping"
/// The variable of a mapping's expressions that holds the migration policy.
public let NSMigrationEntityPolicyKey: String = "entityPolicy"

/// Migrates the objects of one entity mapping. Subclasses change how.
///
/// For every entity mapping the manager makes one policy and calls its methods in this order:
/// `begin`, `createDestinationInstances` for each source object, `endInstanceCreation`;
/// when this is done for all mappings, `createRelationships` for each destination object and
/// `endRelationshipCreation`; and when this is done for all, `performCustomValidation` and `end`.
/// A policy that throws ends the migration.
open class NSEntityMigrationPolicy: NSObject {
    /// What a method that an expression called has thrown; the manager throws it on.
    private var methodError: (any Error)?

    /// Creates a policy. The manager does it once for each entity mapping.
    public override init() {
        super.init()
    }

    /// What the framework calls to create a policy of a class that it knows by name only; a
    /// Linux-only declaration.
    public required convenience init(_policyArguments: _PolicyArguments) {
        self.init()
    }

    /// Called once, before the source objects are read.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the destination objects for a source object.
    ///
    /// The standard policy makes one of the destination entity, sets its attributes as the
    /// mapping says, and tells the manager with
    /// `associate(sourceInstance:withDestinationInstance:for:)`. Who overrides this without
    /// calling super does the same.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        guard let entity = manager.destinationEntity(for: mapping), !entity.isAbstract else {
            return
        }
        let destination = manager.insertDestinationInstance(of: entity)
        for property in mapping.attributeMappings ?? [] {
            try manager.setAttribute(
                property, of: destination, from: sInstance, in: mapping, policy: self)
        }
        manager.associate(
            sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
    }

    /// Called when the destination objects of the mapping are made.
    open func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Sets the relationships of a destination object.
    ///
    /// The standard policy sets them as the mapping says. The destination objects of all
    /// mappings are there.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [dInstance]
        ).first
        for property in mapping.relationshipMappings ?? [] {
            try manager.setRelationship(
                property, of: dInstance, from: source, in: mapping, policy: self)
        }
    }

    /// Called when the relationships of the mapping's destination objects are set.
    open func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Checks what was made. The destination objects are validated by themselves afterward.
    open func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Called last, after the validation.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Runs a method of the policy that a value expression calls, as in
    /// `FUNCTION($entityPolicy, "nameFor:", $source)`.
    ///
    /// Linux-only: nothing can be called by its name there, so a policy whose methods are called
    /// by expressions overrides this. On Apple's systems the method itself is found.
    ///
    /// - Parameters:
    ///   - selector: The method's Objective-C name.
    ///   - arguments: The values of the arguments.
    /// - Returns: What the method returns.
    open func performMethod(_ selector: String, with arguments: [Any?]) throws -> Any? {
        raise(
            .invalidArgument,
            "-[\(type(of: self)) \(selector)]: unrecognized selector sent to instance")
    }
}

extension NSEntityMigrationPolicy: _MethodCalling {
    /// Every method is `performMethod(_:with:)`'s.
    public func _result(of selector: String, arguments: [Any?]) -> _MethodResult? {
        do {
            return _MethodResult(try performMethod(selector, with: arguments))
        } catch {
            methodError = error
            return _MethodResult(nil)
        }
    }

    /// What a method has thrown since the last call.
    final func takeMethodError() -> (any Error)? {
        defer { methodError = nil }
        return methodError
    }
}

/// What a policy is created with; a Linux-only type that only migration managers make.
public struct _PolicyArguments {
    init() {}
}
