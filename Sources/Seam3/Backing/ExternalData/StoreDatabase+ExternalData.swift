import CoreData

/// Values in files.
extension StoreDatabase {
    /// The column's value for a value of an object.
    ///
    /// - Throws: ``SMStoreError/unacceptableValue(entity:property:value:)``, or an error of the
    ///   file system.
    func stored(_ value: Any?, of attribute: AttributeColumn) throws -> SQLiteValue {
        try kept(attribute.stored(value), of: attribute)
    }

    /// The column's value for binary data, which may be large.
    func kept(_ stored: SQLiteValue, of attribute: AttributeColumn) throws -> SQLiteValue {
        guard attribute.isExternal, let externalFiles else { return stored }
        return try externalFiles.kept(stored)
    }

    /// The value of an attribute in Core Data's form.
    func value(_ stored: SQLiteValue, of attribute: AttributeColumn) -> Any? {
        attribute.value(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// The value of an attribute.
    func attributeValue(
        _ stored: SQLiteValue, of attribute: AttributeColumn
    ) -> AttributeValue {
        attribute.attributeValue(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// The column's value, with the bytes instead of a file's name.
    func inlined(_ stored: SQLiteValue, of attribute: AttributeColumn) -> SQLiteValue {
        guard attribute.isExternal, case .text(let name) = stored, let externalFiles else {
            return stored
        }
        return SQLiteValue(externalFiles.folder.data(name))
    }
}
