import FoundationGaps

/// The checks before a save, with Apple's codes.
extension NSManagedObject {
    /// Checks every persistent property; several failures are listed in one error.
    final func validateAllValues() throws {
        var failures: [any Error] = []
        let isOverridden = overriddenMethods.contains(.validateValue)
        for property in isOverridden ? layout.persistentProperties : layout.limitedProperties {
            do {
                let position = layout.relationshipPositions[property.valueIndex]
                if position >= 0 {
                    let relationship = layout.relationships[position]
                    try validate(relationship)
                    try requireValidDestinations(of: relationship)
                } else if isOverridden {
                    try replaceByValidValue(of: property)
                } else {
                    try validateCurrentValue(of: property)
                }
            } catch {
                failures.append(error)
            }
        }
        if !failures.isEmpty { try Self.throwErrors(failures) }
    }

    /// Checks an attribute's value.
    private func validateCurrentValue(of property: NSPropertyDescription) throws {
        if !property.isOptional, attributes[property.valueIndex].isNone {
            throw validationError(.validationMissingMandatoryProperty, property, value: nil)
        }
        let value = attributes[property.valueIndex]
        if !isCommitted(value, at: property.valueIndex) { try validateRange(of: value, property) }
        guard !property.validationPredicates.isEmpty,
            let value = value.object
        else { return }
        try validate(Self.asObject(value), against: property)
    }

    /// Whether a value is the stored one. A store may have a number that is out of its type's range, from a newer
    /// version of the model on another device, and other properties of its object can be changed nevertheless.
    private func isCommitted(_ value: AttributeValue, at index: Int) -> Bool {
        committed.map { value.isEqual(to: $0.attributes[index]) } ?? false
    }

    /// Fails for an integer that the type of its attribute cannot hold.
    private func validateRange(of value: AttributeValue, _ property: NSPropertyDescription) throws {
        guard let range = (property as? NSAttributeDescription)?.integerRange,
            let number = value.integerValue, !range.contains(number)
        else { return }
        throw validationError(
            number < range.lowerBound
                ? .validationNumberTooSmall : .validationNumberTooLarge,
            property, value: value.object)
    }

    /// Checks an attribute's value, and sets the one that an override of `validateValue(_:forKey:)`
    /// replaces it with.
    private func replaceByValidValue(of property: NSPropertyDescription) throws {
        let current = attributes[property.valueIndex].object.map(Self.asObject)
        var value = current
        try validateValue(&value, forKey: property.name)
        if value !== current { setValue(value, forKey: property.name) }
    }

    /// A value as an object; without bridging if it is a number or a string.
    private static func asObject(_ value: Any) -> AnyObject {
        if let number = _exactly(value, NSNumber.self) { return number }
        if let string = _exactly(value, String.self) { return string._bridgeToObjectiveC() }
        return value as AnyObject
    }

    /// Throws nothing, the only error, or one with the code 1560 that lists them all.
    static func throwErrors(_ failures: [any Error]) throws {
        let flat = failures.flatMap { failure -> [any Error] in
            guard let failure = failure as? CocoaError, failure.code == .validationMultipleErrors
            else { return [failure] }
            return failure.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [failure]
        }
        if flat.count > 1 {
            let messages = flat.map(\.localizedDescription).joined(separator: " ")
            throw CocoaError(
                .validationMultipleErrors,
                userInfo: [
                    NSDetailedErrorsKey: flat,
                    NSLocalizedDescriptionKey: "Multiple validation errors occurred. \(messages)",
                ])
        }
        if let failure = flat.first { throw failure }
    }

    /// Checks a value against the description of its property.
    final func validateModeledValue(_ value: Any?, forKey key: String) throws {
        guard let index = layout.indexByName[key] else { return }
        let property = layout.properties[index]
        let position = layout.relationshipPositions[index]
        if position >= 0 { return try validate(layout.relationships[position]) }
        guard let value, type(of: value) != NSNull.self else {
            if property.isOptional { return }
            throw validationError(.validationMissingMandatoryProperty, property, value: nil)
        }
        let kept = AttributeValue(keeping: value)
        if !isCommitted(kept, at: index) { try validateRange(of: kept, property) }
        try validate(value, against: property)
    }

    private func validate(_ value: Any, against property: NSPropertyDescription) throws {
        let predicates = property.validationPredicates
        guard !predicates.isEmpty else { return }
        let warnings = property.validationWarnings
        for (predicate, warning) in zip(predicates, warnings)
        where !predicate.evaluate(with: value) {
            let number = (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError
            var error = validationError(
                CocoaError.Code(rawValue: number), property, value: value,
                predicate: predicate)
            if let text = warning as? String {
                var userInfo = error.userInfo
                userInfo[NSLocalizedDescriptionKey] = text
                error = CocoaError(error.code, userInfo: userInfo)
            }
            throw error
        }
    }

    private func validate(_ relationship: NSRelationshipDescription) throws {
        let position = layout.relationshipPositions[relationship.valueIndex]
        guard relationship.isToMany else {
            if !relationship.isOptional, case .none = relationships[position] {
                throw validationError(
                    .validationMissingMandatoryProperty, relationship, value: nil)
            }
            return
        }
        guard relationship.minCount > 0 || relationship.maxCount > 0 else { return }
        // A relationship that was not read was valid when it was saved, and has not changed.
        if case .unresolved = relationships[position] { return }
        let count = members(at: position).count
        // Counts limit existing destinations; an optional relationship may be empty.
        if count == 0, relationship.isOptional { return }
        if count < relationship.minCount {
            throw validationError(
                .validationRelationshipLacksMinimumCount, relationship,
                value: relationshipValue(at: position))
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            throw validationError(
                .validationRelationshipExceedsMaximumCount, relationship,
                value: relationshipValue(at: position))
        }
    }

    /// Fails if a relationship was set to an object that will not be in the store after the save.
    private func requireValidDestinations(of relationship: NSRelationshipDescription) throws {
        let index = relationship.valueIndex
        guard changedProperties.contains(index) else { return }
        let destinations: [NSManagedObject]
        switch relationships[layout.relationshipPositions[index]] {
        case .object(let object): destinations = [object]
        case .members(let members): destinations = members.objects
        default: return
        }
        // With that rule, a deleted object is not removed from the other side.
        let mayBeDeleted = relationship.inverseRelationship?.deleteRule == .noActionDeleteRule
        let isChild = context?.parent != nil
        let isValid = { (object: NSManagedObject) in
            // An insertion that was refreshed away only has a temporary ID left.
            let isKept =
                isChild || object.state.contains(.inserted)
                || object.storedObjectID?.isTemporaryID == false || object.state.contains(.deleted)
            return object.contextReference === self.contextReference && isKept
                && (mayBeDeleted || !object.state.contains(.deleted))
        }
        guard let invalid = destinations.first(where: { !isValid($0) }) else { return }
        var error = validationError(.managedObjectValidation, relationship, value: invalid)
        var userInfo = error.userInfo
        userInfo["Dangling reference to an invalid object."] = NSNull()
        error = CocoaError(error.code, userInfo: userInfo)
        throw error
    }

    /// Fails if a relationship with the rule "deny" still has destinations that remain.
    final func validateDeletion() throws {
        guard !state.contains(.vanished) else { return }
        var failures: [any Error] = []
        for relationship in layout.relationships where relationship.deleteRule == .denyDeleteRule {
            fireFault()
            let position = layout.relationshipPositions[relationship.valueIndex]
            guard destinations(at: position).contains(where: { !$0.isDeleted }) else { continue }
            failures.append(
                validationError(
                    .validationRelationshipDeniedDelete, relationship,
                    value: relationshipValue(at: position)))
        }
        try Self.throwErrors(failures)
    }

    private func validationError(
        _ code: CocoaError.Code, _ property: NSPropertyDescription, value: Any?,
        predicate: NSPredicate? = nil
    ) -> CocoaError {
        let message = code.validationMessage("\(entity.name ?? "").\(property.name)")
        var userInfo: [String: Any] = [
            NSValidationObjectErrorKey: self,
            NSValidationKeyErrorKey: property.name,
            NSLocalizedDescriptionKey:
                "\(message) Object: \(objectID.uriRepresentation().absoluteString)",
        ]
        userInfo[NSValidationValueErrorKey] = value
        userInfo[NSValidationPredicateErrorKey] = predicate
        return CocoaError(code, userInfo: userInfo)
    }
}
