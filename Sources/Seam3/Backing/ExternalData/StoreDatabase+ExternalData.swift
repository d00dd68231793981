import CoreData

/// Values that lie in files.
extension StoreDatabase {
    /// What the column of an attribute keeps for a value of an object.
    ///
    /// - Throws: ``SMStoreError/unacceptableValue(entity:property:value:)``, or what the file system
    ///   throws.
    func stored(_ value: Any?, of attribute: AttributeColumn) throws -> SQLiteValue {
        try kept(attribute.stored(value), of: attribute)
    }

    /// What the column of an attribute keeps for bytes that may be many.
    func kept(_ stored: SQLiteValue, of attribute: AttributeColumn) throws -> SQLiteValue {
        guard attribute.isExternal, let externalFiles else { return stored }
        return try externalFiles.kept(stored)
    }

    /// The value of an attribute, as Core Data holds it.
    func value(_ stored: SQLiteValue, of attribute: AttributeColumn) -> Any? {
        attribute.value(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// The value of an attribute.
    func attributeValue(
        _ stored: SQLiteValue, of attribute: AttributeColumn
    ) -> AttributeValue {
        attribute.attributeValue(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// What a column keeps, with the bytes in the place of a file's name.
    func inlined(_ stored: SQLiteValue, of attribute: AttributeColumn) -> SQLiteValue {
        guard attribute.isExternal, case .text(let name) = stored, let externalFiles else {
            return stored
        }
        return SQLiteValue(externalFiles.folder.data(name))
    }
}
