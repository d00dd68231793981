import CloudKit
import CloudKitService
import CoreData
import LocalCloud

/// Reads the server's records like another client that knows only the record format.
struct ServerReader {
    let cloud: LocalCloud
    let context: RequestContext
    private(set) var records: [String: RecordDictionary] = [:]
    /// The identities of the objects of all records that there have been, by record name.
    private var idents: [String: String] = [:]
    private var token: String?

    static let zone = "SMStoreCloudStore_CustomZone"
    static let device = "reader"
    /// A device of another user.
    static let strangersDevice = "stranger"
    static let container = "iCloud.seam3.judge"

    init(
        _ cloud: LocalCloud, device: String = Self.device,
        environment: RequestContext.Environment = .development
    ) {
        self.cloud = cloud
        context = RequestContext(
            container: Self.container, environment: environment, device: device)
    }

    /// Fetches new changes.
    ///
    /// - Returns: Whether there were any.
    mutating func read() async throws -> Bool {
        var isNew = token == nil
        while true {
            let response: ZoneChangesResponse
            do {
                response = try await cloud.fetchZoneChanges(
                    ZoneChangesRequest(zones: [
                        .init(zoneID: ZoneIDDictionary(zoneName: Self.zone), syncToken: token)
                    ]), in: context)
            } catch {
                isNew = isNew || !records.isEmpty
                if startOver() { continue }
                return isNew
            }
            guard let zone = response.zones.first?.item else {
                isNew = isNew || !records.isEmpty
                if startOver() { continue }
                return isNew
            }
            if !zone.records.isEmpty { isNew = true }
            for record in zone.records {
                records[record.recordName] = record.deleted == true ? nil : record
                if let ident = ident(record.recordName) { idents[record.recordName] = ident }
            }
            token = zone.syncToken
            if !zone.moreComing { return isNew }
        }
    }

    private mutating func startOver() -> Bool {
        records = [:]
        guard token != nil else { return false }
        token = nil
        return true
    }

    /// The records that devices cannot apply.
    var refusedNames: Set<String> {
        Set(records.values.filter(Self.isRefused).map(\.recordName))
    }

    private static func isRefused(_ record: RecordDictionary) -> Bool {
        guard case .string(let title)? = record.fields["title"]?.value else { return false }
        return title.utf8.count > Int(CommitWatch.longestValue)
    }

    // MARK: - Objects

    /// The identity of the object of a record.
    func ident(_ name: String) -> String? {
        guard case .string(let ident)? = records[name]?.fields["ident"]?.value else { return nil }
        return ident
    }

    private static func kind(_ record: RecordDictionary) -> Kind? {
        record.recordType.flatMap { Kind(entityName: $0) }
    }

    /// The objects that the records describe.
    func snapshot(_ version: ModelVersion) -> Snapshot {
        var snapshot = Snapshot()
        for (name, record) in records {
            guard let kind = Self.kind(record), let ident = ident(name), !Self.isRefused(record)
            else { continue }
            snapshot.objects[name] = Snapshot.Object(
                kind: kind, ident: ident, values: values(record, kind, version))
        }
        // A reference may have a destination of another type, which has no such members.
        for (name, members) in members(by: "list", key: "list_order")
        where snapshot.objects[name]?.kind == .list {
            snapshot.objects[name]?.values["nodes"] = .ordered(members)
        }
        for (name, members) in members(by: "folder", key: nil)
        where snapshot.objects[name]?.kind == .folder {
            snapshot.objects[name]?.values["nodes"] = .objects(members.sorted())
        }
        addLinks(to: &snapshot)
        return snapshot
    }

    private func values(
        _ record: RecordDictionary, _ kind: Kind, _ version: ModelVersion
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        for (name, toMany) in kind.toMany {
            values[name] = toMany.isOrdered ? .ordered([]) : .objects([])
        }
        for attribute in kind.attributes {
            guard version.syncs(attribute.name, of: kind), attribute.since <= version.number
            else { continue }
            let field = version.field(of: attribute.name, of: kind)
            // How a device handles it is not specified.
            if Self.isOfAnotherType(record.fields[field]?.value, attribute) { continue }
            let value = value(record, field, attribute)
            values[attribute.name] =
                value ?? (attribute.isOptional ? nil : attribute.defaultValue) ?? Value.none
        }
        // If the two ends of a one-to-one relationship differ, the cover's is right.
        for (name, target) in kind.toOne where name != "cover" {
            guard case .reference(let reference)? = record.fields[name]?.value,
                let other = records[reference.recordName], let ident = ident(other.recordName),
                let otherKind = Self.kind(other),
                otherKind == target || otherKind.isNode && target.isNode
            else {
                values[name] = Value.none
                continue
            }
            values[name] = .object(ident)
        }
        return values
    }

    /// The references of objects that read as nil because their destinations were deleted, by identity. They are
    /// still in the records.
    var keptReferences: [String: [String: Set<Value>]] {
        var kept: [String: [String: Set<Value>]] = [:]
        for (name, record) in records {
            guard let kind = Self.kind(record), let ident = ident(name) else { continue }
            for relationship in kind.toOne.keys where relationship != "cover" {
                guard case .reference(let reference)? = record.fields[relationship]?.value,
                    records[reference.recordName] == nil,
                    let target = idents[reference.recordName]
                else { continue }
                kept[ident, default: [:]][relationship, default: []].insert(.object(target))
            }
        }
        return kept
    }

    /// The values of attributes in fields that a version of the model does not write any longer, by identity.
    func formerValues(_ version: ModelVersion) -> [String: [String: Set<Value>]] {
        var values: [String: [String: Set<Value>]] = [:]
        for (name, record) in records {
            guard let kind = Self.kind(record), let ident = ident(name) else { continue }
            for attribute in kind.attributes
            where version.field(of: attribute.name, of: kind) != attribute.name {
                let value = value(record, attribute.name, attribute) ?? Value.none
                values[ident, default: [:]][attribute.name, default: []].insert(value)
            }
        }
        return values
    }

    private static func isOfAnotherType(_ value: FieldValue?, _ attribute: Kind.Attribute) -> Bool {
        guard case .string? = value else { return false }
        let types: Set<NSAttributeType> = [
            .stringAttributeType, .UUIDAttributeType, .URIAttributeType,
        ]
        return !types.contains(attribute.type)
    }

    private func value(
        _ record: RecordDictionary, _ field: String, _ attribute: Kind.Attribute
    ) -> Value? {
        if !attribute.elements.isEmpty {
            let elements = attribute.elements.map { element in
                (element.name, value(record, "\(field)_\(element.name)", element) ?? Value.none)
            }
            return Value.composite(Dictionary(uniqueKeysWithValues: elements)).canonical
        }
        switch (record.fields[field]?.value, attribute.type) {
        case (.string(let text)?, .UUIDAttributeType): return .uuid(text)
        case (.string(let text)?, .URIAttributeType): return .uri(text)
        case (.int64(let number)?, .booleanAttributeType): return .bool(number != 0)
        case (.double(let number)?, .doubleAttributeType),
            (.double(let number)?, .floatAttributeType):
            return Value.double(number).canonical
        case (.bytes(let data)?, .transformableAttributeType):
            let classes: [AnyClass] = [NSArray.self, NSString.self]
            let texts = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
            return (texts as? [String]).map(Value.texts) ?? Value.foreignData
        default: return plainValue(record, field, attribute)
        }
    }

    private func plainValue(
        _ record: RecordDictionary, _ field: String, _ attribute: Kind.Attribute
    ) -> Value? {
        switch record.fields[field]?.value {
        case .string(let text): return .text(of: text)
        case .int64(let number): return .int(Int(number))
        case .timestamp(let milliseconds):
            return Value.date(Double(milliseconds) / 1000 - 978_307_200).canonical
        case .bytes(let data): return .data(of: data)
        case .asset(let asset): return .data(Int(asset.size ?? 0))
        case .double(let double):
            if case .string(let text)? = record.fields[field + "_decimal"]?.value,
                Double(text) == double
            {
                return Value.decimal(text).canonical
            }
            return Value.decimal("\(Decimal(string: "\(double)") ?? 0)").canonical
        default:
            guard attribute.type == .binaryDataAttributeType,
                case .asset(let asset)? = record.fields[field + "_asset"]?.value
            else { return nil }
            return .data(Int(asset.size ?? 0))
        }
    }

    /// The identities of the members of the owners of a to-one relationship, by the owner's record.
    private func members(by field: String, key: String?) -> [String: [String]] {
        var members: [String: [(key: String, name: String, ident: String)]] = [:]
        for (name, record) in records {
            guard let kind = Self.kind(record), kind.isNode, let ident = ident(name),
                case .reference(let reference)? = record.fields[field]?.value
            else { continue }
            var order = ""
            if let key, case .string(let text)? = record.fields[key]?.value { order = text }
            members[reference.recordName, default: []].append((order, name, ident))
        }
        return members.mapValues { members in
            members.sorted {
                $0.key == $1.key
                    ? $0.name < $1.name
                    : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
            }.map(\.ident)
        }
    }

    /// The pairs in the link records, by record type.
    private func addLinks(to snapshot: inout Snapshot) {
        var others: [String: [String: [String]]] = [:]
        for record in records.values {
            guard let (relationship, inverse) = Self.relationships(record.recordType),
                case .reference(let source)? = record.fields["source"]?.value,
                case .reference(let target)? = record.fields["target"]?.value,
                let first = ident(source.recordName), let second = ident(target.recordName)
            else { continue }
            others[source.recordName, default: [:]][relationship, default: []].append(second)
            others[target.recordName, default: [:]][inverse, default: []].append(first)
        }
        for (name, relationships) in others {
            for (relationship, idents) in relationships {
                snapshot.objects[name]?.values[relationship] = .objects(idents.sorted())
            }
        }
    }

    private static func relationships(_ type: String?) -> (String, String)? {
        switch type {
        case "SM_Link_Node_friends": return ("friends", "friends")
        case "SM_Link_Node_tags": return ("tags", "nodes")
        case "SM_Link_List_picks": return ("picks", "picked")
        default: return nil
        }
    }

    // MARK: - Violations

    /// The references without a destination.
    var danglingReferences: [String] {
        records.values.flatMap { record in
            record.fields.compactMap { field, value -> String? in
                guard case .reference(let reference)? = value.value,
                    records[reference.recordName] == nil
                else { return nil }
                let owner = ident(record.recordName) ?? record.recordType ?? ""
                return "\(owner).\(field) leads to no record"
            }
        }.sorted()
    }

    /// The longest order key.
    var longestOrderKey: Int {
        records.values.flatMap { record in
            record.fields.compactMap { field, value -> Int? in
                guard field.hasSuffix("_order") || field == "sourceOrder" || field == "targetOrder",
                    case .string(let key)? = value.value
                else { return nil }
                return key.utf8.count
            }
        }.max() ?? 0
    }
}
