import FoundationGaps

/// Support for the standard policy and the expressions of mappings.
extension NSMigrationManager {
    /// The policy of a mapping.
    ///
    /// - Throws: `CocoaError.entityMigrationPolicy` if its class is not in the program.
    final func policy(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty,
            name != "NSEntityMigrationPolicy"
        else { return NSEntityMigrationPolicy() }
        let type = LoadedModules.shared.subclass(named: name, of: NSEntityMigrationPolicy.self)
        guard let type else {
            throw CocoaError(
                .entityMigrationPolicy,
                userInfo: [
                    NSLocalizedDescriptionKey: "The migration policy class '\(name)' of the "
                        + "mapping '\(mapping.name ?? "")' is not in the program."
                ])
        }
        return type.init(_policyArguments: _PolicyArguments())
    }

    /// The objects that a mapping migrates.
    final func sourceInstances(
        of mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
    ) throws -> [NSManagedObject] {
        if let expression = mapping.sourceExpression {
            let value = try value(of: expression, policy: policy) {
                $0[NSMigrationEntityMappingKey] = mapping
            }
            return Self.objects(in: value)
        }
        guard let entity = sourceEntity(for: mapping) else { return [] }
        return try sourceContext.fetch(sourceRequest(of: entity))
    }

    private func sourceRequest(
        of entity: NSEntityDescription, predicate: String? = nil, subentities: Bool = false
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.includesSubentities = subentities
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return request
    }

    /// Inserts a new object in the destination context.
    final func insertDestinationInstance(of entity: NSEntityDescription) -> NSManagedObject {
        NSManagedObject(entity: entity, insertInto: destinationContext)
    }

    /// Sets an attribute of a destination object. A required attribute keeps its default if the
    /// mapping gives nil.
    final func setAttribute(
        _ property: NSPropertyMapping, of destination: NSManagedObject,
        from source: NSManagedObject, in mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
    ) throws {
        guard let name = property.name, property.valueExpression != nil else { return }
        let value = try value(
            of: property, source: source, destination: destination, mapping: mapping,
            policy: policy)
        let attribute = destination.entity.attributesByName[name]
        if value == nil, attribute?.isOptional == false, attribute?.defaultValue != nil { return }
        // Only inferred mappings pair attributes of different types.
        guard let attribute, mapping.name?.hasPrefix("IEM_") == true else {
            return destination.setValue(value, forKey: name)
        }
        func misfit(_ number: NSNumber, _ path: String) -> CocoaError {
            CocoaError(
                .migration,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "An error occurred during persistent store migration.",
                    "reason": "The value \(number) does not fit the attribute's type",
                    "entity": destination.entity.name ?? "", "attribute": path,
                ])
        }
        if let composite = attribute as? NSCompositeAttributeDescription,
            let former = property.copiedAttribute(of: source) as? NSCompositeAttributeDescription,
            let values = value as? [String: Any]
        {
            let value = try composite.value(values, of: former, misfit)
            return destination.setValue(value, forKey: name)
        }
        guard let number = value as? NSNumber else {
            return destination.setValue(value, forKey: name)
        }
        // A number that the source has although its type cannot hold it is not converted.
        let isOfType = { source.hasValue(number, ofType: attribute.attributeType) }
        guard let converted = attribute.number(number) ?? (isOfType() ? number : nil) else {
            throw misfit(number, name)
        }
        destination.setValue(converted, forKey: name)
    }

    /// Sets a relationship of a destination object to the objects from the mapping.
    final func setRelationship(
        _ property: NSPropertyMapping, of destination: NSManagedObject,
        from source: NSManagedObject?,
        in mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
    ) throws {
        guard let name = property.name, property.valueExpression != nil,
            let relationship = destination.entity.relationshipsByName[name]
        else { return }
        let value = try value(
            of: property, source: source, destination: destination, mapping: mapping,
            policy: policy)
        let objects = Self.objects(in: value)
        if !relationship.isToMany {
            destination.setValue(objects.first, forKey: name)
        } else if relationship.isOrdered {
            destination.setValue(NSOrderedSet(array: objects), forKey: name)
        } else {
            destination.setValue(NSSet(array: objects), forKey: name)
        }
    }

    private func value(
        of property: NSPropertyMapping, source: NSManagedObject?, destination: NSManagedObject,
        mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
    ) throws -> Any? {
        guard let expression = property.valueExpression else { return nil }
        propertyMapping = property
        defer { propertyMapping = nil }
        return try value(of: expression, policy: policy) { variables in
            variables[NSMigrationSourceObjectKey] = source ?? NSNull()
            variables[NSMigrationDestinationObjectKey] = destination
            variables[NSMigrationEntityMappingKey] = mapping
            variables[NSMigrationPropertyMappingKey] = property
        }
    }

    private func value(
        of expression: NSExpression, policy: NSEntityMigrationPolicy,
        _ addVariables: (NSMutableDictionary) -> Void
    ) throws -> Any? {
        let variables: NSMutableDictionary = [
            NSMigrationManagerKey: self, NSMigrationEntityPolicyKey: policy,
        ]
        addVariables(variables)
        let value = expression.expressionValue(with: nil, context: variables)
        if let error = policy.takeMethodError() { throw error }
        return value is NSNull ? nil : value
    }

    /// The managed objects in a value: one, or those of a collection.
    fileprivate static func objects(in value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let array as [Any]: array.compactMap { $0 as? NSManagedObject }
        case let array as NSArray: (0..<array.count).compactMap { array[$0] as? NSManagedObject }
        default: []
        }
    }
}

extension NSPropertyMapping {
    /// The attribute of a source object whose value the mapping copies, if it was inferred.
    fileprivate func copiedAttribute(of source: NSManagedObject) -> NSAttributeDescription? {
        guard let expression = valueExpression, expression.expressionType == .function,
            let key = expression.arguments?.first, key.expressionType == .constantValue
        else { return nil }
        return (key.constantValue as? String).flatMap { source.entity.attributesByName[$0] }
    }
}

extension NSCompositeAttributeDescription {
    /// Converts a value of the attribute's predecessor. Elements get their new names, and those that the model has
    /// removed are left out.
    ///
    /// - Parameters:
    ///   - values: The value.
    ///   - former: The attribute in the source model.
    ///   - misfit: Makes the error for a number that an element cannot store.
    fileprivate func value(
        _ values: [String: Any], of former: NSCompositeAttributeDescription,
        _ misfit: (_ number: NSNumber, _ path: String) -> CocoaError
    ) throws -> [String: Any] {
        var converted: [String: Any] = [:]
        for (element, formerElement) in successors(of: former) {
            guard let value = values[formerElement.name] else { continue }
            if let composite = element as? NSCompositeAttributeDescription,
                let former = formerElement as? NSCompositeAttributeDescription,
                let values = value as? [String: Any]
            {
                converted[element.name] = try composite.value(values, of: former) { number, path in
                    misfit(number, "\(name).\(path)")
                }
            } else if let number = value as? NSNumber,
                element.attributeType != formerElement.attributeType
            {
                guard let fitting = element.number(number) else {
                    throw misfit(number, "\(name).\(element.name)")
                }
                converted[element.name] = fitting
            } else {
                converted[element.name] = value
            }
        }
        return converted
    }
}

extension NSAttributeDescription {
    /// Converts a number to this attribute type; nil if the attribute cannot store it.
    fileprivate func number(_ number: NSNumber) -> NSNumber? {
        switch attributeType {
        case .decimalAttributeType:
            if number is NSDecimalNumber { return number }
            // Foundation would convert a double by its binary digits.
            return Decimal(string: number.stringValue, locale: Locale(identifier: "en_US_POSIX"))
                .map { NSDecimalNumber(decimal: $0) }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            let exact = NSNumber(value: number.int64Value)
            guard number.compare(exact) == .orderedSame,
                integerRange?.contains(number.int64Value) ?? true
            else { return nil }
            return exact
        case .booleanAttributeType:
            guard [0, 1].contains(number.doubleValue) else { return nil }
            return NSNumber(value: number.doubleValue == 1)
        case .doubleAttributeType: return NSNumber(value: number.doubleValue)
        case .floatAttributeType: return NSNumber(value: number.floatValue)
        default: return number
        }
    }
}

// MARK: - Methods that expressions call

extension NSMigrationManager: _MethodCalling, _KeyValueCoding {
    /// The methods of the manager that mappings from Xcode and from the framework call.
    public func _result(of selector: String, arguments: [Any?]) -> _MethodResult? {
        let name = arguments.first as? String ?? ""
        let objects = arguments.dropFirst().first.map(Self.objects) ?? []
        switch selector {
        case "destinationInstancesForEntityMappingNamed:sourceInstances:":
            return _MethodResult(
                destinationInstances(forEntityMappingName: name, sourceInstances: objects))
        case "sourceInstancesForEntityMappingNamed:destinationInstances:":
            return _MethodResult(
                sourceInstances(forEntityMappingName: name, destinationInstances: objects))
        case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
            let relationship = propertyMapping?.name.flatMap {
                destinationEntity(for: currentEntityMapping)?.relationshipsByName[$0]
            }
            return _MethodResult(
                destinationInstances(of: objects, kindOf: relationship?.destinationEntity))
        case "fetchRequestForSourceEntityNamed:predicateString:",
            "fetchRequestForSourceEntityNamed:predicateString:includesSubentities:":
            return _MethodResult(fetchRequest(arguments))
        case "sourceEntityForEntityMapping:":
            return _MethodResult((arguments.first as? NSEntityMapping).flatMap(sourceEntity))
        case "destinationEntityForEntityMapping:":
            return _MethodResult((arguments.first as? NSEntityMapping).flatMap(destinationEntity))
        default:
            return nil
        }
    }

    private func fetchRequest(_ arguments: [Any?]) -> NSFetchRequest<NSManagedObject>? {
        guard let name = arguments.first as? String,
            let entity = sourceContext.persistentStoreCoordinator?.entity(named: name)
        else { return nil }
        let subentities = arguments.count > 2 ? arguments[2] as? NSNumber : nil
        return sourceRequest(
            of: entity, predicate: arguments.count > 1 ? arguments[1] as? String : nil,
            subentities: subentities?.boolValue ?? false)
    }

    /// The properties of the manager, for key paths such as `$manager.userInfo`.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "sourceContext": return sourceContext
        case "destinationContext": return destinationContext
        case "sourceModel": return sourceModel
        case "destinationModel": return destinationModel
        case "mappingModel": return mappingModel
        case "currentEntityMapping": return currentEntityMapping
        case "currentPropertyMapping": return propertyMapping
        case "migrationProgress": return NSNumber(value: migrationProgress)
        case "userInfo": return userInfo
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSEntityMapping: _KeyValueCoding {
    /// The properties of a mapping, for key paths such as `$entityMapping.userInfo`.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "name": return name
        case "mappingType": return NSNumber(value: mappingType.rawValue)
        case "sourceEntityName": return sourceEntityName
        case "destinationEntityName": return destinationEntityName
        case "userInfo": return userInfo
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSManagedObjectContext: _MethodCalling {
    /// The methods that `FETCH(request, context, countOnly)` calls, and `objectWithID:`.
    public func _result(of selector: String, arguments: [Any?]) -> _MethodResult? {
        switch selector {
        case "executeFetchRequest:countOnly:":
            guard let request = arguments.first as? any ErasableFetchRequest else { return nil }
            let erased = request.erased()
            do {
                if (arguments.last as? NSNumber)?.boolValue == true {
                    return _MethodResult(NSNumber(value: try count(for: erased)))
                }
                return _MethodResult(try results(of: erased).results)
            } catch {
                raise(.internalInconsistency, "A fetch in an expression failed: \(error)")
            }
        case "objectWithID:":
            return _MethodResult((arguments.first as? NSManagedObjectID).map(object))
        default:
            return nil
        }
    }
}

extension NSManagedObject {
    /// Whether an attribute of a type has a value.
    fileprivate func hasValue(_ number: NSNumber, ofType type: NSAttributeType) -> Bool {
        entity.attributesByName.contains { name, attribute in
            attribute.attributeType == type && value(forKey: name) as? NSNumber == number
        }
    }
}
