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

/// Migrates the objects of one entity mapping. Subclasses customize it.
///
/// The manager creates one policy for each entity mapping. It first calls `begin`,
/// `createDestinationInstances` for each source object and `endInstanceCreation` for all mappings;
/// then `createRelationships` for each destination object and `endRelationshipCreation` for all
/// mappings; and finally `performCustomValidation` and `end`. A policy that throws ends the
/// migration.
open class NSEntityMigrationPolicy: NSObject {
    /// The error of a method that an expression called; the manager throws it.
    private var methodError: (any Error)?

    /// Creates a policy. The manager creates one for each entity mapping.
    public override init() {
        super.init()
    }

    /// Creates a policy of a class that is known only by name. Called by the framework; a
    /// Linux-only declaration.
    public required convenience init(_policyArguments: _PolicyArguments) {
        self.init()
    }

    /// Called once, before the source objects are read.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Creates the destination objects for a source object.
    ///
    /// The standard policy creates one object of the destination entity, sets its attributes
    /// according to the mapping, and calls the manager's
    /// `associate(sourceInstance:withDestinationInstance:for:)`. An override that does not call
    /// super must do the same.
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

    /// Called when the destination objects of the mapping have been created.
    open func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Sets the relationships of a destination object.
    ///
    /// The standard policy sets them according to the mapping. The destination objects of all
    /// mappings exist by then.
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

    /// Called when the relationships of the mapping's destination objects have been set.
    open func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Checks the results. The destination objects are validated separately afterward.
    open func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    /// Called last, after the validation.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Runs a method of the policy that a value expression calls, as in `FUNCTION($entityPolicy,
    /// "nameFor:", $source)`.
    ///
    /// Linux-only: methods cannot be called by name there, so a policy whose methods are called by
    /// expressions overrides this. On Apple's systems the method itself is found.
    ///
    /// - Parameters:
    ///   - selector: The method's Objective-C name.
    ///   - arguments: The values of the arguments.
    /// - Returns: The method's result.
    open func performMethod(_ selector: String, with arguments: [Any?]) throws -> Any? {
        raise(
            .invalidArgument,
            "-[\(type(of: self)) \(selector)]: unrecognized selector sent to instance")
    }
}

extension NSEntityMigrationPolicy: _MethodCalling {
    /// All methods are handled by `performMethod(_:with:)`.
    public func _result(of selector: String, arguments: [Any?]) -> _MethodResult? {
        do {
            return _MethodResult(try performMethod(selector, with: arguments))
        } catch {
            methodError = error
            return _MethodResult(nil)
        }
    }

    /// The error that a method has thrown since the last call.
    final func takeMethodError() -> (any Error)? {
        defer { methodError = nil }
        return methodError
    }
}

/// The arguments for creating a policy; a Linux-only type that only migration managers create.
public struct _PolicyArguments {
    init() {}
}
