import CloudKit
import CoreData

/// Finds what is wrong with the record that the app's conflict block has returned.
///
/// A `CKRecord` accepts every key and every type of value. Reading such a record would give nil, or ignore what the
/// block has set, and that would reach every device.
struct ReturnedRecordCheck {
    /// The server's record, of which the block was given a copy.
    let received: ReceivedRecord
    /// The record that the block returned.
    let returned: CKRecord

    private var mapping: RecordMapping { received.mapping }
    private var original: CKRecord { received.record }
    private var entityName: String { mapping.entity.name }

    /// The assets whose files cannot be read, as a text for an error; nil if there are none.
    var problemWithFiles: String? {
        let names = mapping.attributes.filter { attribute in
            [attribute.field, attribute.assetField].contains { key in
                guard let asset = changed(key, in: returned) as? CKAsset else { return false }
                return (try? RecordReader.file(of: asset)) == nil
            }
        }.map { "\(entityName).\($0.column.name)" }
        return names.isEmpty
            ? nil : "it set an asset without a readable file for \(names.joined(separator: ", "))"
    }

    /// The problems, as a text for an error; nil if there are none.
    ///
    /// - Parameter fields: What was read from the record.
    func problem(reading fields: PropertyValues) -> String? {
        if returned.recordID != original.recordID || returned.recordType != original.recordType {
            return "the block returned \(returned.recordType) \(returned.recordID.recordName)"
                + " for \(original.recordType) \(original.recordID.recordName)"
        }
        let ofAttributes = mapping.attributes.flatMap { problems(of: $0, fields[$0.column.name]) }
        let ofReferences = mapping.references.flatMap { problems(of: $0) }
        let all = ofAttributes + ofReferences + unknownKeys()
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }

    // MARK: - Values

    private func problems(of attribute: RecordMapping.Attribute, _ read: SQLiteValue) -> [String] {
        let column = attribute.column
        var problems: [String] = []
        let keys = attribute.keys
        for (key, type) in keys {
            let part = key == attribute.assetField ? returned : attribute.fields(of: returned)
            guard let value = changed(key, in: part) else { continue }
            if !type.contains(value) {
                problems.append(wrongType(of: value, of: column.name, key, type.name))
            } else if !isInRange(read, attribute.kind) {
                problems.append(
                    "it set a number for \(entityName).\(column.name) that does not fit \(Self.name(column.kind))"
                )
            }
        }
        if problems.isEmpty, let other = misplaced(attribute) { problems.append(other) }
        if problems.isEmpty, !column.isOptional, read.isNull,
            !received.fields[column.name].isNull
        {
            problems.append(
                "it removed the value of \(entityName).\(column.name), which is required")
        }
        return problems
    }

    private func problems(of reference: RecordMapping.Reference) -> [String] {
        var problems: [String] = []
        if let value = changed(reference.field, in: returned), !FieldType.reference.contains(value)
        {
            problems.append(
                wrongType(
                    of: value, of: reference.column.name, reference.field, FieldType.reference.name)
            )
        }
        if reference.isOrdered, let value = changed(reference.orderField, in: returned),
            !FieldType.string.contains(value)
        {
            problems.append(
                wrongType(
                    of: value, of: reference.column.name, reference.orderField,
                    FieldType.string.name))
        }
        return problems
    }

    private func wrongType(of value: Any, of property: String, _ key: String, _ expected: String)
        -> String
    {
        "it set \(key) to \(FieldType.name(of: value)), but \(entityName).\(property) needs \(expected)"
    }

    private func isInRange(_ read: SQLiteValue, _ kind: AttributeKind) -> Bool {
        guard let range = kind.integerRange, kind != .boolean, let number = read.integer else {
            return true
        }
        return range.contains(number)
    }

    private static func name(_ kind: AttributeKind) -> String {
        kind == .integer16 ? "Integer 16" : "Integer 32"
    }

    /// A value that is among the plain fields instead of the encrypted ones, or the other way around.
    private func misplaced(_ attribute: RecordMapping.Attribute) -> String? {
        let key = attribute.field
        let right = attribute.fields(of: returned)
        let wrong = Self.part(of: returned, isEncrypted: !attribute.isEncrypted)
        let before = Self.part(of: original, isEncrypted: !attribute.isEncrypted)
        guard let value = wrong.object(forKey: key),
            !Self.isEqual(value, right.object(forKey: key)),
            !Self.isEqual(value, before.object(forKey: key))
        else { return nil }
        return
            "it set \(key) in the record's \(attribute.isEncrypted ? "plain fields" : "encryptedValues"),"
            + " but \(entityName).\(attribute.column.name) is"
            + " \(attribute.isEncrypted ? "encrypted: use encryptedValues" : "not encrypted")"
    }

    /// A value, unless the server's record has the same.
    private func changed(_ key: String, in part: any CKRecordKeyValueSetting) -> Any? {
        guard let value = part.object(forKey: key) else { return nil }
        let before = Self.part(of: original, isEncrypted: part !== returned)
        return Self.isEqual(value, before.object(forKey: key)) ? nil : value
    }

    /// The plain fields or the encrypted ones.
    private static func part(of record: CKRecord, isEncrypted: Bool) -> any CKRecordKeyValueSetting
    {
        if isEncrypted { return record.encryptedValues }
        return record
    }

    private static func isEqual(_ left: Any?, _ right: Any?) -> Bool {
        guard let left = left as? NSObject, let right = right as? NSObject else { return false }
        return left === right || left.isEqual(right)
    }

    // MARK: - Keys

    /// Keys that no property has. The server's record may have fields that this version of the app does not know; they
    /// are never sent, so a change of one would be lost.
    private func unknownKeys() -> [String] {
        let known = Set(
            mapping.attributes.flatMap { $0.keys.map(\.key) }
                + mapping.references.flatMap { [$0.field, $0.orderField] })
        var problems: [String] = []
        let parts: [any CKRecordKeyValueSetting] = [returned, returned.encryptedValues]
        var seen: Set<String> = []
        for part in parts {
            for key in part.allKeys().sorted()
            where !known.contains(key) && changed(key, in: part) != nil && seen.insert(key).inserted
            {
                problems.append(
                    "it set \(key), which is not a field of \(entityName).\(question(key, known))")
            }
        }
        return problems
    }

    /// A question with the field that was probably meant: that of the property with this name, or the nearest one.
    private func question(_ key: String, _ known: Set<String>) -> String {
        let field =
            mapping.attributes.first { $0.column.name == key }?.field
            ?? mapping.references.first { $0.column.name == key }?.field
        if let field { return " Did you mean \(field), the field of \(entityName).\(key)?" }
        return NearestName.question(key, among: known)
    }
}

extension RecordMapping.Attribute {
    /// The keys under which a record may have the attribute's value, and the types of their values.
    fileprivate var keys: [(key: String, type: FieldType)] {
        switch kind {
        case .string: return [(field, .string)]
        case .uri: return [(field, .url)]
        case .uuid: return [(field, .uuid)]
        case .date: return [(field, .date)]
        case .double, .float: return [(field, .number)]
        case .decimal: return [(field, .number), (field + DecimalField.suffix, .string)]
        case .integer16, .integer32, .integer64, .boolean: return [(field, .integer)]
        case .binaryData, .transformable:
            return isAsset ? [(field, .asset)] : [(field, .data), (assetField, .asset)]
        }
    }
}

/// What a field of a record may contain.
private enum FieldType {
    case string, url, uuid, date, number, integer, data, asset, reference

    /// Whether the type has a value.
    func contains(_ value: Any) -> Bool {
        switch self {
        case .string: return value is NSString
        case .url: return (value as? NSString).flatMap { URL(string: $0 as String) } != nil
        case .uuid: return (value as? NSString).flatMap { UUID(uuidString: $0 as String) } != nil
        case .date: return value is NSDate
        case .number: return value is NSNumber
        case .integer: return (value as? NSNumber).map(Self.isInteger) ?? false
        case .data: return value is NSData
        case .asset: return value is CKAsset || value is NSData
        case .reference: return value is CKRecord.Reference
        }
    }

    /// The type with its article.
    var name: String {
        switch self {
        case .string: return "a String"
        case .url: return "a String with a URL"
        case .uuid: return "a String with a UUID"
        case .date: return "a Date"
        case .number: return "a Double"
        case .integer: return "an Int64"
        case .data: return "Data"
        case .asset: return "an Asset"
        case .reference: return "a Reference"
        }
    }

    /// The type of a value, with its article.
    static func name(of value: Any) -> String {
        switch value {
        case is NSString: return "a String"
        case is NSDate: return "a Date"
        case is NSData: return "Data"
        case is CKAsset: return "an Asset"
        case is CKRecord.Reference: return "a Reference"
        case is NSArray: return "an array"
        case let number as NSNumber:
            return isInteger(number) ? "an Int64" : "a Double"
        default: return "a \(Swift.type(of: value))"
        }
    }

    /// Whether a number can be read as an `Int64`.
    private static func isInteger(_ number: NSNumber) -> Bool {
        // "d" and "f" are the Objective-C type codes of double and float.
        let isFloating = ["d", "f"].contains(String(cString: number.objCType))
        return !isFloating || Int64(exactly: number.doubleValue) != nil
    }
}
