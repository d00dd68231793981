import CloudKitService
import SeamSQLite

/// The record types and fields of one environment: learned in development, fixed in production.
struct RecordSchema {
    private typealias Index = SchemaDescription.Index

    private struct Field {
        var type: FieldType
        var isEncrypted: Bool
    }

    private let connection: SQLiteConnection
    private let isLearning: Bool
    private let isPublic: Bool
    private let refusesEmptyLists: Bool
    private let convertsInferredValues: Bool
    /// The fields of the record types that the request has touched.
    private var types: [String: [String: Field]] = [:]

    init(session: RequestSession) {
        connection = session.connection
        isLearning = session.caller.context.environment == .development
        isPublic = session.scope == .public
        refusesEmptyLists = session.options.refusesEmptyListForNewField
        convertsInferredValues = session.options.convertsValuesWithoutType
    }

    /// Forgets the types that were learned since a savepoint that was rolled back.
    mutating func forget() { types = [:] }

    /// Checks a record's fields against their types, and learns new ones.
    ///
    /// - Returns: The fields. Values without a type are converted to the type of their field.
    /// - Throws: ``ItemFailure`` with `BAD_REQUEST`.
    mutating func checked(
        type: String, fields: [String: RecordFieldDictionary]
    ) throws -> [String: RecordFieldDictionary] {
        var known = try knownFields(of: type)
        var fields = fields
        if convertsInferredValues {
            for (name, field) in fields where field.isTypeInferred {
                if let type = known[name]?.type { fields[name] = field.converted(to: type) }
            }
        }
        var new: [(String, FieldValue)] = []
        for (name, field) in fields {
            guard let value = field.value else { continue }
            let reference = FieldReference(name: name, recordType: type)
            try checkValue(value, field: field, reference)
            if let existing = known[name], existing.type != .unknownList {
                try compare(value, field: field, with: existing, reference)
            } else {
                new.append((name, value))
            }
        }
        // New fields are learned only if the whole record is valid.
        for (name, value) in new {
            known[name] = try learn(
                value, isEncrypted: fields[name]?.isEncrypted == true,
                FieldReference(name: name, recordType: type))
        }
        types[type] = known
        return fields
    }

    private struct FieldReference {
        var name: String
        var recordType: String
    }

    private mutating func knownFields(of type: String) throws -> [String: Field] {
        if let known = types[type] { return known }
        let exists =
            try connection.firstRow(
                "SELECT 1 FROM record_type WHERE name = ?", [.text(type)], { _ in true }) ?? false
        if !exists {
            guard isLearning || type == RequestSession.userRecordType else {
                throw ItemFailure(
                    .badRequest, "Cannot create new type \(type) in production schema",
                    code: 2006)
            }
            try connection.execute("INSERT INTO record_type (name) VALUES (?)", [.text(type)])
        }
        let fields = try connection.rows(
            "SELECT name, type, is_encrypted FROM record_field WHERE record_type = ?",
            [.text(type)]
        ) {
            (
                $0.text(at: 0),
                Field(
                    type: FieldType(rawValue: $0.text(at: 1)),
                    isEncrypted: $0.integer(at: 2) != 0)
            )
        }
        return Dictionary(fields) { first, _ in first }
    }

    private func learn(
        _ value: FieldValue, isEncrypted: Bool, _ reference: FieldReference
    ) throws -> Field {
        guard isLearning else {
            throw ItemFailure(
                .badRequest,
                "Cannot create or modify field '\(reference.name)' in record "
                    + "'\(reference.recordType)' in production schema", code: 2006)
        }
        let type = value.type.columnType
        if type == .unknownList {
            // The type of an empty list is determined by its first element later.
            guard refusesEmptyLists else { return Field(type: type, isEncrypted: false) }
            throw ItemFailure(
                .badRequest,
                "cannot use an empty list to initialize a new field (field '\(reference.name)' in "
                    + "record type '\(reference.recordType)' should be more precise)",
                code: 2006)
        }
        try connection.execute(
            """
            INSERT INTO record_field (record_type, name, type, is_encrypted, indexes)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET type = excluded.type, indexes = excluded.indexes
            """,
            [
                .text(reference.recordType), .text(reference.name), .text(type.rawValue),
                .integer(isEncrypted ? 1 : 0),
                .text(Index.text(Index.automatic(for: type, isEncrypted: isEncrypted))),
            ])
        return Field(type: type, isEncrypted: isEncrypted)
    }

    private func compare(
        _ value: FieldValue, field: RecordFieldDictionary, with existing: Field,
        _ reference: FieldReference
    ) throws {
        let type = value.type.columnType
        let isEmptyList = type == .unknownList && existing.type.element != nil
        guard existing.type.accepts(value.type) || isEmptyList,
            field.isEncrypted == existing.isEncrypted
        else {
            func name(_ type: FieldType, _ isEncrypted: Bool) -> String {
                (isEncrypted ? "ENCRYPTED_" : "") + type.rawValue
            }
            throw ItemFailure(
                .badRequest,
                "invalid attempt to set value type \(name(type, field.isEncrypted)) for field "
                    + "'\(reference.name)' for type '\(reference.recordType)', defined to be: "
                    + name(existing.type, existing.isEncrypted),
                code: 2006)
        }
    }

    /// Checks that apply to every schema.
    private func checkValue(
        _ value: FieldValue, field: RecordFieldDictionary, _ reference: FieldReference
    ) throws {
        func fail(_ reason: String) -> ItemFailure {
            ItemFailure(.badRequest, "Field '\(reference.name)': \(reason)", code: 2006)
        }
        if case .list(let elements) = value {
            guard Set(elements.map(\.type.columnType)).count <= 1 else {
                throw fail("the elements of a list must have one type")
            }
            guard elements.allSatisfy({ $0.type.element == nil }) else {
                throw fail("a list cannot contain a list")
            }
            for element in elements { try checkValue(element, field: field, reference) }
        }
        if field.isEncrypted {
            guard !isPublic else { throw fail("the public database has no encrypted fields") }
            switch value.type {
            case .asset, .reference: throw fail("assets and references cannot be encrypted")
            default: break
            }
        }
        let numbers: [Double?] =
            switch value {
            case .double(let number): [number]
            case .location(let place):
                [
                    place.latitude, place.longitude, place.altitude, place.speed, place.course,
                    place.horizontalAccuracy, place.verticalAccuracy,
                ]
            default: []
            }
        guard numbers.allSatisfy({ $0?.isFinite ?? true }) else {
            throw fail("a number must be finite")
        }
    }
}

extension FieldType {
    /// A column for any number, which is created for the first saved number.
    static let number = Self(rawValue: "NUMBER")

    /// The column type for values of this type.
    var columnType: FieldType {
        switch self {
        case .int64, .double: .number
        case Self.int64.list, .doubleList: Self.number.list
        default: self
        }
    }

    /// Whether a field of this type accepts values of another. A schema that was written by hand
    /// may allow integers only.
    func accepts(_ type: FieldType) -> Bool {
        if let element, let other = type.element { return element.accepts(other) }
        switch self {
        case .int64: return type == .int64
        case .double: return type == .int64 || type == .double
        default: return type.columnType == self
        }
    }
}
