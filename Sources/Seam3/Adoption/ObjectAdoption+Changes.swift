import CoreData

/// What has to be sent of the objects that the server knows.
extension ObjectAdoption {
    /// The kinds of changes in Seam3 1.
    private enum ChangeKind: Int64 {
        case update = 1
        case delete = 2
        case insert = 3
    }

    /// Queues the changes that Seam3 1 had not sent.
    func copyChangeSets() throws {
        guard file.tables[Seam3.changeSetTable] != nil else { return }
        let changes = try file.connection.rows(
            """
            SELECT ZSM_LOCALSTORE_RECORDID, ZSM_LOCALSTORE_CHANGETYPE, \
            ZSM_LOCALSTORE_CHANGEDPROPERTIES FROM \(Seam3.changeSetTable) ORDER BY Z_PK
            """
        ) {
            (
                name: $0.text(at: 0), kind: ChangeKind(rawValue: $0.integer(at: 1)),
                keys: $0.text(at: 2)
            )
        }
        for change in changes {
            let entry = try database.objects.entry(named: change.name)
            switch change.kind {
            case .delete: try queueDeletion(of: change.name)
            case .insert:
                guard let entry, !isKnown(entry.pk) else { continue }
                try database.outbox.noteInsertion(entry.pk)
            case .update:
                guard let entry, let entity = known[entry.pk] else { continue }
                // The file does not have the values from before the change. Seam3 1 sent the references with
                // every update.
                let synced = mappings.mapping(of: entity)?.propertyNames ?? []
                var base = PropertyValues()
                base.addUnknown(
                    changedNames(change.keys, entity).union(entity.toOnes.map(\.name))
                        .intersection(synced))
                if !base.values.isEmpty {
                    try database.outbox.noteUpdate(entry.pk, base)
                }
            case nil: continue
            }
        }
    }

    /// The attributes in a list of changed properties. The model may name them differently now.
    private func changedNames(_ list: String, _ entity: EntitySchema) -> Set<String> {
        let names = Set(list.split(separator: ",").map(String.init))
        let attributes = entity.attributes.filter { attribute in
            names.isEmpty || names.contains(attribute.root.name)
                || attribute.root.renamingIdentifier.map(names.contains) == true
        }
        return Set(attributes.map(\.name))
    }

    /// A deletion contains only the record's name; the server does not need its entity.
    private func queueDeletion(of recordName: String) throws {
        guard try isFree(recordName), let number = mappings.syncedNumbers.min() else { return }
        let pk = try database.sequence.takeKeys(1)
        try database.objects.insert(pk, entity: number, recordName: recordName)
        try database.objects.setSent(true, pk)
        try database.outbox.noteDeletion(pk, entity: number)
    }

    /// References of Seam3 1 make the server cascade, so they are queued to be rewritten. The server has them as the
    /// file has them, unless a change waited.
    func queueReferences() throws {
        for (pk, entity) in known.sorted(by: { $0.key < $1.key }) where !entity.toOnes.isEmpty {
            guard let row = try database.rows.row(pk, of: entity) else { continue }
            var base = PropertyValues()
            for toOne in entity.toOnes {
                guard let target = row.values[toOne.index].integer else { continue }
                base[toOne.name] = SQLiteValue(
                    try database.objects.recordNameForReference(to: target))
            }
            if !base.values.isEmpty { try database.outbox.noteUpdate(pk, base, .other) }
        }
    }
}
