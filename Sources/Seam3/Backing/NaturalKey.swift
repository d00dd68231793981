import CoreData

/// The attributes whose values identify an entity's objects on all devices, as named in the model's
/// user info.
///
/// The record name of a new object is derived from them, so two devices that create the same thing
/// create the same record. The name is then fixed: later changes of the values do not change it.
struct NaturalKey {
    /// The record type of the root entity, which stays the same when the entity is renamed.
    private let rootRecordType: String
    private let columns: [AttributeColumn]

    /// - Returns: nil if the entity has no natural key.
    init?(_ entity: EntitySchema, assignedNames: AssignedNames) {
        guard let (names, _) = Self.names(of: entity.description) else { return nil }
        columns = names.compactMap(entity.attribute(named:))
        guard columns.count == names.count, !columns.isEmpty else { return nil }
        rootRecordType = assignedNames.recordType(of: entity.description.rootEntity)
    }

    /// The names of the attributes of an entity's natural key, and the entity that declares it. The
    /// key applies to that entity and all its descendants together.
    static func names(
        of entity: NSEntityDescription
    ) -> (names: [String], owner: NSEntityDescription)? {
        for owner in sequence(first: entity, next: \.superentity) {
            guard let text = owner.userInfo?[UserInfoKey.naturalKey] as? String else {
                continue
            }
            let names = text.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return (names, owner)
        }
        return nil
    }

    /// Whether an attribute can be part of a natural key: its values must be synced and be the same
    /// on all devices.
    static func canHold(_ attribute: NSAttributeDescription) -> Bool {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription),
            attribute.isSynced
        else { return false }
        switch AttributeKind(attribute.attributeType) {
        case .string, .integer16, .integer32, .integer64, .boolean, .decimal, .date, .uuid, .uri:
            return true
        case .double, .float, .binaryData, .transformable, nil:
            return false
        }
    }

    /// Whether any of the attributes is stored in a column of the table.
    func hasColumn(among places: [Int]) -> Bool {
        columns.contains { places.contains($0.index) }
    }

    /// The names of the attributes.
    var attributeNames: Set<String> { Set(columns.map(\.name)) }

    /// The record name of a new object; nil if a value of the key is nil, because nil equals
    /// nothing.
    func recordName(of row: ObjectRow) -> String? {
        var parts = [rootRecordType]
        for column in columns {
            guard let text = Self.canonicalText(row.values[column.index], column.kind) else {
                return nil
            }
            parts.append(text)
        }
        // Each value is prefixed with its length, so that different lists of values never give the
        // same text.
        return SHA256.hexadecimal(parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    /// The canonical form of a value, which is the same on all devices.
    private static func canonicalText(_ value: SQLiteValue, _ kind: AttributeKind) -> String? {
        switch value {
        case .null: return nil
        case .integer(let number): return "\(number)"
        case .real(let number): return milliseconds(number)
        case .text(let text):
            if kind == .decimal {
                return DecimalCollation.decimal(text).map(DecimalCollation.text) ?? text
            }
            return text.precomposedStringWithCanonicalMapping
        case .blob(let data): return data.hexadecimal
        }
    }

    private static func milliseconds(_ seconds: Double) -> String {
        Int64(exactly: seconds.travelingMilliseconds).map(String.init) ?? "\(seconds)"
    }
}

extension Double {
    /// The date in seconds, rounded to the whole milliseconds that are synced. A date beyond the
    /// range of a record, some 290 million years away, arrives as the farthest date in the range.
    var travelingMilliseconds: Double {
        let farthest = 9.2e18
        return Swift.min(Swift.max((self * 1000).rounded(), -farthest), farthest)
    }
}
