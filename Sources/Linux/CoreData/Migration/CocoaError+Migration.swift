import FoundationGaps

/// The errors of migrations, with Apple's keys and texts.
extension CocoaError {
    static func missingSourceModel(_ metadata: [String: Any], at url: URL) -> CocoaError {
        CocoaError(
            .migrationMissingSourceModel,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "Persistent store migration failed, missing source managed object model.",
                "reason": "Can't find model for source store",
                "metadata": metadata,
                "URL": url,
            ])
    }

    static func missingMappingModel(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
        because error: (any Error)? = nil
    ) -> CocoaError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: "Persistent store migration failed, missing mapping model.",
            "reason": error == nil
                ? "Can't find mapping model for migration"
                : "Can't find or automatically infer mapping model for migration",
            "sourceModel": source,
            "destinationModel": destination,
        ]
        userInfo[NSUnderlyingErrorKey] = error
        return CocoaError(.migrationMissingMappingModel, userInfo: userInfo)
    }

    /// No mapping model could be inferred because of an entity or a property of the destination.
    static func notInferred(
        _ reason: String, entity: NSEntityDescription, property: String? = nil
    ) -> CocoaError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey:
                "Couldn't infer a mapping model: \(reason) (entity \(entity.name ?? "")"
                + (property.map { ", property \($0)" } ?? "") + ").",
            "reason": reason,
            "entity": entity.name ?? "",
        ]
        userInfo["property"] = property
        return CocoaError(.inferredMappingModel, userInfo: userInfo)
    }

    /// The migrated objects could not be saved.
    static func migrationFailed(_ error: CocoaError) -> CocoaError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: "An error occurred during persistent store migration.",
            NSUnderlyingErrorKey: error,
        ]
        let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
        let missing = details.lazy.compactMap { $0 as? CocoaError }
            .first { $0.code == .validationMissingMandatoryProperty }
        if let missing,
            let object = missing.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
            let key = missing.userInfo[NSValidationKeyErrorKey] as? String
        {
            let kind =
                object.entity.relationshipsByName[key] == nil ? "attribute" : "relationship"
            userInfo["reason"] =
                "Validation error missing attribute values on mandatory destination \(kind)"
            userInfo["entity"] = object.entity.name
            userInfo["attribute"] = key
        } else {
            userInfo["reason"] = error.localizedDescription
        }
        return CocoaError(.migration, userInfo: userInfo)
    }
}
