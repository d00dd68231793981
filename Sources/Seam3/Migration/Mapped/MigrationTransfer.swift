import CoreData

/// Transfers what the old file knew about the server to the file that a mapping model has filled,
/// in the caller's transaction.
///
/// At first each object in the new file waits to be sent as new. An object with a record gets its
/// name and its change tag; its change is then reduced to what the mapping changed and what waited
/// before.
struct MigrationTransfer {
    // What Apple's frameworks do here is an assumption: CD-59.

    let source: StoreDatabase
    let destination: StoreDatabase
    let sourceMappings: RecordMappings
    let destinationMappings: RecordMappings
    /// The source's entries whose records continue in the destination.
    var claimed: Set<Int64> = []
    /// Destination object → source object with the same record.
    private var origins: [Int64: Int64] = [:]
    private var translations: [String: FieldTranslation] = [:]

    /// - Throws: 134110 of the domain `NSCocoaErrorDomain` if a field would have to change its type.
    init(
        from source: StoreDatabase, to destination: StoreDatabase, _ copied: CopiedProperties
    ) throws {
        self.source = source
        self.destination = destination
        sourceMappings = RecordMappings(
            source.schema, externalData: source.externalFiles?.folder)
        destinationMappings = RecordMappings(
            destination.schema, externalData: destination.externalFiles?.folder)
        for entity in destination.schema.entities where !entity.description.isAbstract {
            guard let new = destinationMappings.mapping(of: entity),
                let old = sourceMappings.mapping(recordType: new.recordType)
            else { continue }
            translations[new.recordType] = try FieldTranslation(
                from: old, to: new, copied,
                mayBeOnServer: source.objects.hasSent(ofEntity: old.entity.number))
        }
    }

    /// Transfers everything.
    ///
    /// - Parameters:
    ///   - pairs: The corresponding objects.
    ///   - takesState: Whether the state of sync is transferred as well, because the destination has none.
    mutating func run(_ pairs: [MigratedStores.Pair], takesState: Bool) throws {
        try nameRecords(pairs)
        for (new, old) in origins {
            try autoreleasepool { try keepAbsentDestinations(of: new, from: old) }
        }
        try keepOrder()
        let sortedOrigins = origins.sorted { $0.key < $1.key }
        for (new, old) in sortedOrigins {
            try autoreleasepool { try transfer(old, to: new) }
        }
        for link in destination.schema.links where destinationMappings.isSynced(link) {
            try transferLinks(link)
        }
        if translations.values.contains(where: { !$0.leftReferences.isEmpty }) {
            for (new, old) in sortedOrigins {
                try autoreleasepool { try removePairs(of: old, to: new) }
            }
        }
        try queueDeletions()
        if takesState {
            try transferState()
        } else {
            // What others have deleted or changed may be older than the destination's change token.
            try destination.syncState.sweepAtFirstFetch()
        }
    }

    // MARK: - Records

    private func recordType(_ pk: Int64, in database: StoreDatabase) throws -> String? {
        guard let entry = try database.objects.entry(pk), entry.isPresent,
            let entity = database.schema.entity(number: entry.entity)
        else { return nil }
        let mappings = database === source ? sourceMappings : destinationMappings
        return mappings.mapping(of: entity)?.recordType
    }

    /// Assigns the records of source objects to the objects that were created from them. Further
    /// objects created from the same source get record names that are the same on every device.
    private mutating func nameRecords(_ pairs: [MigratedStores.Pair]) throws {
        var sources: [Int64: [Int64]] = [:]
        var order: [Int64] = []
        for pair in pairs {
            if sources[pair.destination] == nil { order.append(pair.destination) }
            sources[pair.destination, default: []].append(pair.source)
        }
        var copies: [String: Int] = [:]
        for new in order {
            // The order of the objects differs between devices.
            let names = try (sources[new] ?? []).compactMap { old in
                try source.objects.recordName(of: old).map { (pk: old, name: $0) }
            }.sorted { $0.name < $1.name }
            guard let first = names.first, let type = try recordType(new, in: destination) else {
                continue
            }
            let origin = try names.first {
                try !claimed.contains($0.pk) && recordType($0.pk, in: source) == type
            }
            if let origin {
                claimed.insert(origin.pk)
                if try rename(new, origin.name) { origins[new] = origin.pk }
            } else if try !hasNaturalName(new) {
                let text = "\(first.name)/\(type)"
                copies[text, default: 0] += 1
                _ = try rename(new, SHA256.hexadecimal("\(text)/\(copies[text] ?? 0)"))
            }
        }
    }

    /// Whether an object's record is named after its natural key, as on every device that creates the same object.
    private func hasNaturalName(_ pk: Int64) throws -> Bool {
        guard let row = try row(pk, in: destination),
            let name = destinationMappings.mapping(of: row.entity)?.naturalKey?.recordName(of: row)
        else { return false }
        return try destination.objects.recordName(of: pk) == name
    }

    /// Gives an entry another record name.
    ///
    /// - Returns: Whether no other entry of the destination has it.
    func rename(_ pk: Int64, _ name: String) throws -> Bool {
        if let entry = try destination.objects.entry(named: name) { return entry.pk == pk }
        try destination.objects.rename(pk, to: name)
        return true
    }

    // MARK: - Objects

    func row(_ pk: Int64, in database: StoreDatabase) throws -> ObjectRow? {
        guard let entry = try database.objects.entry(pk),
            let entity = database.schema.entity(number: entry.entity)
        else { return nil }
        return try database.rows.row(pk, of: entity)
    }

    func translation(of entity: EntitySchema) -> FieldTranslation? {
        destinationMappings.mapping(of: entity).flatMap { translations[$0.recordType] }
    }

    /// A reference to a record that has not arrived yet, or to an object whose deletion waits, is
    /// nil for Core Data. It is kept here, together with its order key.
    private func keepAbsentDestinations(of new: Int64, from old: Int64) throws {
        guard let oldRow = try row(old, in: source), let newRow = try row(new, in: destination),
            let translation = translation(of: newRow.entity)
        else { return }
        for toOne in newRow.entity.toOnes where newRow.values[toOne.index].isNull {
            guard let oldName = translation.oldNames[toOne.name],
                let column = oldRow.entity.toOne(named: oldName),
                let target = try oldRow.values[column.index].integer.flatMap(source.objects.entry),
                target.isPlaceholder || target.isDeleted
            else { continue }
            let key = try destination.objects.keyForReference(recordName: target.recordName)
            try destination.connection.execute(
                "UPDATE \(newRow.entity.table.name.sqlIdentifier)"
                    + " SET \(toOne.column.sqlIdentifier) = ? WHERE pk = ?",
                [.integer(key), .integer(new)])
            if let orderColumn = toOne.orderColumn,
                let place = column.orderIndex.flatMap({ oldRow.values[$0].text })
            {
                try destination.references.setOrder(
                    place, of: new, table: newRow.entity.table.name, orderColumn: orderColumn)
            }
        }
    }

    /// Members of an ordered relationship keep their order keys, as far as these rise in the new
    /// order.
    private func keepOrder() throws {
        for entity in destination.schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                guard let orderColumn = toOne.orderColumn else { continue }
                let owners = try destination.connection.rows(
                    "SELECT DISTINCT \(toOne.column.sqlIdentifier)"
                        + " FROM \(entity.table.name.sqlIdentifier)"
                        + " WHERE \(orderColumn.sqlIdentifier) IS NOT NULL"
                ) { $0.integer(at: 0) }
                for owner in owners {
                    try keepOrder(ofMembersOf: owner, toOne, orderColumn, in: entity.table.name)
                }
            }
        }
    }

    private func keepOrder(
        ofMembersOf owner: Int64, _ toOne: ToOneColumn, _ orderColumn: String, in table: String
    ) throws {
        let members = try destination.references.orderedMembers(
            table: table, column: toOne.column, orderColumn: orderColumn, of: owner
        ).sorted { $0.value < $1.value }
        let ownerName = try destination.objects.recordName(of: owner)
        let known = try members.map { member -> String? in
            guard let old = try origins[member.key].flatMap({ try row($0, in: source) }),
                let translation = try row(member.key, in: destination)
                    .flatMap({ translation(of: $0.entity) }),
                let column = translation.oldNames[toOne.name].flatMap(old.entity.toOne(named:)),
                let place = column.orderIndex,
                try old.values[column.index].integer.flatMap(source.objects.recordNameForReference)
                    == ownerName
            else { return nil }
            return old.values[place].text
        }
        for (member, key) in zip(members, OrderKey.rising(known)) where member.value != key {
            try destination.references.setOrder(
                key, of: member.key, table: table, orderColumn: orderColumn)
        }
    }

    private func transfer(_ old: Int64, to new: Int64) throws {
        guard let entry = try source.objects.entry(old), let oldRow = try row(old, in: source),
            var newRow = try row(new, in: destination),
            let translation = translation(of: newRow.entity)
        else { return }
        try keepForms(of: oldRow, in: &newRow, translation)
        let fields = try source.fields(of: oldRow, translation.source)
        let (changes, lacking) = try translation.changes(
            from: translation.translated(fields, in: source),
            to: destination.fields(of: newRow, translation.destination))
        try transfer(entry, to: new, changes: changes, lacking: lacking, translation)
        try destination.outbox.noteUnread(translation.unread, of: new)
    }

    /// Gives an entry the system fields of its record, and the waiting change.
    ///
    /// - Parameters:
    ///   - entry: The source's entry.
    ///   - pk: The destination's object.
    ///   - changes: The properties that the mapping changed, with their previous values. They do not count as edits.
    ///   - lacking: Those that the record lacks.
    ///   - translation: The properties of the entity; nil for a link.
    func transfer(
        _ entry: ObjectEntry, to pk: Int64, changes: PropertyValues, lacking: Set<String> = [],
        _ translation: FieldTranslation? = nil
    ) throws {
        try transferVersion(of: entry, to: pk)
        try destination.objects.setSweep(source.objects.sweep(of: entry.pk), of: pk)
        if entry.wasSent { try destination.objects.setSent(true, pk) }
        if let change = try source.outbox.entry(of: entry.pk) {
            try take(change, to: pk, translation)
        } else {
            try destination.outbox.remove(of: pk)
        }
        // What the mapping changes is no user's edit.
        if !changes.values.isEmpty { try destination.outbox.noteUpdate(pk, changes, .other) }
        if !lacking.isEmpty { try destination.outbox.noteResend(lacking, of: pk) }
    }

    /// Takes over a waiting change, which has been under way perhaps, under the names of the new model.
    private func take(
        _ change: OutboxEntry, to pk: Int64, _ translation: FieldTranslation?
    ) throws {
        let changes = change.changes.mapValues(renaming: translation?.newNames) {
            translated($0, translation)
        }
        var resend = change.resend
        if let translation {
            resend = Set(resend.compactMap { translation.newNames[$0] })
            // No record has a value yet in the new field of a property that has moved.
            if change.kind == .delete { resend.formUnion(translation.moved) }
        }
        if change.isDone(leaving: changes, resend) {
            return try destination.outbox.remove(of: pk)
        }
        try destination.outbox.take(change, from: source.outbox, to: pk, changes, resend) {
            translated($0, translation)
        }
    }

    /// Transfers what is known of a record's version.
    private func transferVersion(of entry: ObjectEntry, to pk: Int64) throws {
        try destination.objects.setSystemFields(
            entry.systemFields, changeTag: entry.changeTag, of: pk)
        try destination.objects.setStoredEdits(source.objects.storedEdits(of: entry.pk), of: pk)
    }

    private func translated(
        _ values: PropertyValues, _ translation: FieldTranslation?
    ) -> PropertyValues {
        translation?.translated(values, in: source) ?? values
    }

    // MARK: - What is gone

    /// Queues the deletions that waited, and those of records whose objects the mapping left out.
    private func queueDeletions() throws {
        for entry in try source.objects.allButPlaceholders() where !claimed.contains(entry.pk) {
            let number = entry.entity.flatMap(newNumber)
            if entry.isPresent {
                if let number { try queueDeletion(of: entry.pk, number) }
            } else if let number = number ?? destinationMappings.syncedNumbers.min(),
                try source.outbox.entry(of: entry.pk) != nil
            {
                // A deletion contains only the record's name; the server does not need its entity.
                try queueDeletion(of: entry.pk, number)
            }
        }
    }

    /// The number of the entity or link with the same record type; nil if there is none.
    private func newNumber(ofOld number: Int64) -> Int64? {
        if let link = source.schema.link(number: number) {
            let new = destination.schema.link(recordType: link.recordType)
            return new.flatMap { destinationMappings.isSynced($0) ? $0.number : nil }
        }
        guard let entity = source.schema.entity(number: number),
            let old = sourceMappings.mapping(of: entity)
        else { return nil }
        return destinationMappings.mapping(recordType: old.recordType)?.entity.number
    }

    private func queueDeletion(of old: Int64, _ number: Int64) throws {
        guard let entry = try source.objects.entry(old) else { return }
        guard entry.wasSent else { return }
        let known = try destination.objects.entry(named: entry.recordName)
        guard known?.isPlaceholder ?? true else { return }
        let pk = try known?.pk ?? destination.sequence.takeKeys(1)
        if known == nil {
            try destination.objects.insert(pk, entity: number, recordName: entry.recordName)
        }
        try transferVersion(of: entry, to: pk)
        try destination.objects.setSent(true, pk)
        guard let deletion = try source.outbox.entry(of: old), deletion.kind == .delete else {
            return try destination.outbox.noteDeletion(pk, entity: number)
        }
        let translation = destination.schema.entity(number: number).flatMap(translation)
        try destination.outbox.noteDeletion(pk, entity: number)
        try take(deletion, to: pk, translation)
    }

    // MARK: - State

    /// Takes over the user, zone, subscription and change token. Other devices may have set new
    /// properties already: records of their types are fetched again, as if they were unknown.
    private func transferState() throws {
        var asksAgain = false
        for entity in destination.schema.entities where !entity.description.isAbstract {
            guard let mapping = destinationMappings.mapping(of: entity),
                translations[mapping.recordType]?.asksAgain != false
            else { continue }
            asksAgain = true
            try destination.objects.forgetChangeTags(ofEntity: entity.number)
        }
        let links = destination.schema.links.filter(destinationMappings.isSynced)
        if !links.allSatisfy(wasSynced) { asksAgain = true }
        try destination.syncState.take(
            from: source.syncState, asksAgain: asksAgain)
    }
}
