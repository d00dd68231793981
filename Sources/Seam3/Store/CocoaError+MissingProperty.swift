import CoreData

extension CocoaError {
    /// Core Data's error for an object without a value that its model requires.
    ///
    /// - Parameter object: The object; nil if it is not in a context.
    static func missingProperty(
        _ name: String, of entity: String, object: NSManagedObject? = nil
    ) -> CocoaError {
        var userInfo: [String: Any] = [
            NSValidationKeyErrorKey: name,
            NSLocalizedDescriptionKey: "\(entity).\(name) is a required value.",
        ]
        userInfo[NSValidationObjectErrorKey] = object
        return CocoaError(.validationMissingMandatoryProperty, userInfo: userInfo)
    }
}
