import CoreData

/// Batch update: one statement for all objects.
extension BatchExecution {
    private struct Assignment {
        let attribute: AttributeColumn
        /// The new value, as an expression over the old row.
        let value: SQL
    }

    /// Sets attributes and to-one relationships of all objects that match a request's predicate.
    ///
    /// - Returns: The result, and whether there are changes to send.
    /// - Throws: 133021 if the update violates a uniqueness constraint; 1610 or 1620 if an attribute cannot
    ///   hold a number; 1570 if a required property becomes nil.
    func update(_ request: NSBatchUpdateRequest) throws -> (Any, Bool) {
        let entity = try entity(named: request.entityName)
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name)
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        let selection = try select(fetch, entity)
        let clause = FromClause(
            """
            \(verbatim: BatchSelection.table) AS selected JOIN \(name: entity.table.name) AS t0 \
            ON t0.pk = selected.pk
            """)
        let aliases = AliasSequence()
        let source = RowSource(
            entity: entity, alias: aliases.next(), clause: clause, aliases: aliases)
        let compiler = QueryCompiler(schema: schema, source: source, keyOf: store.key(of:))
        var assignments: [Assignment] = []
        var destinations: [NewDestination] = []
        for (property, value) in request.propertiesToUpdate ?? [:] {
            let name = DictionaryColumns.name(of: property.base)
            if let toOne = entity.toOne(named: name) {
                destinations.append(try destination(value, of: toOne, entity))
            } else {
                assignments += try self.assignments(of: value, to: name, entity, compiler)
            }
        }
        if !assignments.isEmpty {
            try noteUpdates(assignments, source, clause, entity)
            try write(assignments, source, clause, entity)
            try checkRanges(of: assignments.map(\.attribute), in: entity)
            try checkRequired(assignments.map(\.attribute), in: entity)
            try checkConstraints(of: entity, after: assignments)
        }
        try set(destinations, of: selection)
        let result: Any
        switch request.resultType {
        case .updatedObjectIDsResultType: result = try selection.objectIDs(store, schema)
        case .updatedObjectsCountResultType: result = NSNumber(value: try selection.count())
        default: result = NSNumber(value: true)
        }
        try selection.clear()
        return (
            BatchUpdateResult(result, request.resultType), try database.outbox.unparkedCount() > 0
        )
    }

    // MARK: - Values

    private func assignments(
        of value: Any, to name: String, _ entity: EntitySchema, _ compiler: QueryCompiler
    ) throws -> [Assignment] {
        if let attribute = entity.attribute(named: name), !attribute.isDerived {
            return [try assignment(of: value, to: attribute, compiler)]
        }
        let elements = entity.elements(ofAttribute: name)
        guard elements.count > 1 || elements.first?.path.count ?? 1 > 1 else {
            throw SMStoreError.invalidRequest(
                "NSBatchUpdateRequest for \(entity.name).\(name), which is neither a stored attribute nor"
                    + " a to-one relationship")
        }
        return try elements.map { element in
            Assignment(
                attribute: element,
                value: "\(bind: try stored(element.element(of: value), of: element))")
        }
    }

    private func assignment(
        of value: Any, to attribute: AttributeColumn, _ compiler: QueryCompiler
    ) throws -> Assignment {
        var constant: Any? = value
        if let expression = value as? NSExpression {
            guard expression.expressionType == .constantValue else {
                return Assignment(
                    attribute: attribute,
                    value: try self.value(of: expression, for: attribute, compiler))
            }
            constant = expression.constantValue
        }
        return Assignment(
            attribute: attribute, value: "\(bind: try stored(constant, of: attribute))")
    }

    private func value(
        of expression: NSExpression, for attribute: AttributeColumn, _ compiler: QueryCompiler
    ) throws -> SQL {
        do {
            let (sql, kind) = try compiler.scalar(try compiler.operand(expression))
            guard let kind, kind != ValueKind(attribute.kind) else { return sql }
            switch attribute.kind {
            case .integer16, .integer32, .integer64, .boolean:
                if kind.isNumber { return kind.isWhole ? sql : "CAST(\(sql) AS INTEGER)" }
            case .double, .float:
                if kind == .decimal { return "\(verbatim: QueryFunctions.real)(\(sql))" }
                if kind.isNumber { return "CAST(\(sql) AS REAL)" }
            case .date:
                if kind == .double { return "CAST(\(sql) AS REAL)" }
            case .decimal, .string:
                if kind.isNumber { return "CAST(\(sql) AS TEXT)" }
            case .binaryData, .uuid, .uri, .transformable:
                break
            }
            throw SMStoreError.unacceptableValue(
                entity: attribute.root.entity.name ?? "", property: attribute.name,
                value: "\(expression)")
        } catch let problem as Inexpressible {
            throw SMStoreError.invalidRequest("NSBatchUpdateRequest with \(problem.what)")
        }
    }

    // MARK: - Statements

    private func noteUpdates(
        _ assignments: [Assignment], _ source: RowSource, _ clause: FromClause,
        _ entity: EntitySchema
    ) throws {
        for number in syncedNumbers(of: entity.familyNumbers) {
            guard let mapping = schema.entity(number: number).flatMap(mappings.mapping) else {
                continue
            }
            let fields = assignments.filter {
                mapping.propertyNames.contains($0.attribute.name)
            }.map { assignment -> SQL in
                let old = source.column(assignment.attribute.column)
                return """
                    CASE WHEN \(old) IS \(assignment.value) THEN NULL \
                    ELSE \(bind: .text(assignment.attribute.name)) END, \(old)
                    """
            }
            guard !fields.isEmpty else { continue }
            try database.outbox.noteUpdates(
                """
                SELECT \(source.key) AS pk, \(verbatim: BaseValueFunctions.fields)\
                (\(fields.joined(separator: ", "))) AS base FROM \(clause.sql) \
                WHERE \(source.entityNumber) = \(number)
                """, cause)
        }
    }

    private func write(
        _ assignments: [Assignment], _ source: RowSource, _ clause: FromClause,
        _ entity: EntitySchema
    ) throws {
        let columns = assignments.map { assignment -> SQL in
            "\(name: assignment.attribute.column)"
        }
        let values = assignments.enumerated().map { index, assignment -> SQL in
            "\(assignment.value) AS \(verbatim: "v\(index)")"
        }
        let settings = columns.enumerated().map { index, column -> SQL in
            "\(column) = new.\(verbatim: "v\(index)")"
        }
        // All new values are computed from the old rows before the first row is written.
        let update: SQL = """
            WITH new AS MATERIALIZED (SELECT \(source.key) AS pk, \(values.joined(separator: ", ")) \
            FROM \(clause.sql)) \
            UPDATE \(name: entity.table.name) SET \(settings.joined(separator: ", ")), \
            version = \(ObjectRow.nextVersion) FROM new WHERE \(name: entity.table.name).pk = new.pk
            """
        try connection.execute(update.text, update.values)
    }

    // MARK: - Constraints

    private func checkConstraints(
        of entity: EntitySchema, after assignments: [Assignment]
    ) throws {
        let changed = Set(assignments.map(\.attribute.index))
        let family = entity.familyNumbers.compactMap(schema.entity(number:))
        var known: Set<[String]> = []
        for constraint in family.flatMap(\.constraints)
        where !changed.isDisjoint(with: constraint.indexes)
            && known.insert(constraint.names).inserted
        {
            let columns = constraint.indexes.map { constraint.table.columns[$0] }
            let equal = columns.map { column -> SQL in
                "o.\(name: column) = t.\(name: column)"
            }.joined(separator: " AND ")
            let numbers = constraint.familyNumbers.map { number -> SQL in "\(number)" }
                .joined(separator: ", ")
            let query: SQL = """
                SELECT t.pk, t.entity, o.pk, o.entity \
                FROM \(verbatim: BatchSelection.table) AS s \
                JOIN \(name: constraint.table.name) AS t ON t.pk = s.pk \
                JOIN \(name: constraint.table.name) AS o ON \(equal) AND o.pk <> t.pk \
                WHERE t.entity IN (\(numbers)) AND o.entity IN (\(numbers)) LIMIT 1
                """
            let pair = try connection.firstRow(query.text, query.values) { row in
                (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2), row.integer(at: 3))
            }
            guard let pair else { continue }
            throw ConstrainedObjects.error(
                try conflicts(constraint, of: (pair.0, pair.1), with: (pair.2, pair.3)))
        }
        for entity in family { try checkNaturalKey(of: entity, afterChangesAt: changed) }
    }

    /// Compares the values of a natural key in the normalized form that all devices share.
    private func checkNaturalKey(
        of entity: EntitySchema, afterChangesAt changed: Set<Int>
    ) throws {
        guard let key = mappings.mapping(of: entity)?.naturalKey,
            let constraint = entity.constraints.first(where: \.isNaturalKey),
            !changed.isDisjoint(with: constraint.indexes)
        else { return }
        var known: [String: (Int64, Int64)] = [:]
        let query: SQL = """
            SELECT \(verbatim: entity.table.selectList(alias: "t")) \
            FROM \(verbatim: BatchSelection.table) AS s \
            JOIN \(name: entity.table.name) AS t ON t.pk = s.pk WHERE t.entity = \(entity.number)
            """
        for row in try database.rows.rows(query) {
            guard let name = key.recordName(of: row) else { continue }
            var other = known.updateValue((row.pk, entity.number), forKey: name)
            if other == nil, let holder = try database.key(naturallyNamed: name, mappings),
                holder != row.pk
            {
                other = try database.objects.entry(holder).map { (holder, $0.entity ?? 0) }
            }
            guard let other else { continue }
            throw ConstrainedObjects.error(
                try conflicts(constraint, of: (row.pk, entity.number), with: other))
        }
    }

    /// The conflict between rows. Empty without a context, because a conflict contains objects.
    ///
    /// - Parameters:
    ///   - constraint: The constraint.
    ///   - row: The row that is changed; nil for a new one, which has no object. The conflict then
    ///     names the existing row only.
    ///   - other: The existing row.
    func conflicts(
        _ constraint: UniquenessConstraint, of row: (Int64, Int64)?, with other: (Int64, Int64)
    ) throws -> [NSConstraintConflict] {
        func object(_ row: (Int64, Int64)) -> NSManagedObject? {
            schema.entity(number: row.1).flatMap {
                context?.object(with: store.objectID(row.0, $0))
            }
        }
        guard let inTheWay = object(other) else { return [] }
        guard let changed = row.flatMap(object), let entity = schema.entity(number: other.1),
            let present = try database.rows.row(other.0, of: entity)
        else {
            return [
                NSConstraintConflict(
                    constraint: constraint.keys, database: nil, databaseSnapshot: nil,
                    conflicting: [inTheWay], conflictingSnapshots: [NSNull()])
            ]
        }
        return [
            NSConstraintConflict(
                constraint: constraint.keys, database: inTheWay,
                databaseSnapshot: store.snapshot(of: present, in: database),
                conflicting: [changed], conflictingSnapshots: [NSNull()])
        ]
    }
}
