import CloudKit
import CoreData

/// A file's request to save records, as their stamps name it.
struct StampedRequest {
    /// The random number of the file.
    let file: UInt32
    /// The random number of the request.
    let token: UInt64
}

extension OutgoingChange {
    /// What a record says about its edits once this change is carried out.
    ///
    /// - Parameters:
    ///   - record: The record to save.
    ///   - mapping: Its mapping.
    ///   - fields: All properties of the object.
    ///   - request: The request that saves it.
    func stamps(
        of record: CKRecord, _ mapping: RecordMapping, _ fields: PropertyValues,
        _ request: StampedRequest
    ) -> EditStamps {
        let known = isMadeAgain ? nil : change.edits
        var result = nextVersion(of: known?.stamps, request)
        let version = result.version
        let isNew = change.kind == .insert && known == nil
        let isSeed = change.kind == .insert && change.changes.isSeed
        // What a deleted object had says nothing of the new one.
        let changed = change.replaced.values.isEmpty ? change.changes.names : []
        let edits = mapping.withWholeComposites(change.changes.edits())
        let sentFields = sentFields(mapping, fields)
        let sent = Set(sentFields.map(\.stampKey))
        result.stamps.reserveCapacity(mapping.stampedFields.count)
        if !isInsertion { noteForeign(known?.foreign ?? [:], except: sent, mapping, &result) }
        for field in sentFields {
            let digest = field.digest(in: record)
            let isEdit: Bool
            if isSeed {
                isEdit = edits.contains(field.name)
            } else if isNew {
                // It may be the version of an object that a lost zone had.
                isEdit = result.origin == nil || changed.contains(field.name)
            } else if change.kind == .insert, !changed.contains(field.name) {
                isEdit = isUnlike(known, field, digest, mapping, fields)
            } else {
                isEdit = edits.contains(field.name)
            }
            result.stamps[field.stampKey] = EditStamps.Stamp(
                edit: isEdit
                    ? version : lastEdit(of: field, result, mapping) ?? (isNew && !isSeed ? 1 : 0),
                digest: digest)
        }
        if isInsertion {
            forgetValues(except: sent, mapping, &result)
            noteUnset(mapping, &result)
        }
        // A new record does not get what a user has removed, and an edit of one element is an edit of the whole.
        for field in mapping.stampedFields
        where edits.contains(field.name) && !field.isFormer && !sent.contains(field.stampKey) {
            result.stamps[field.stampKey]?.edit = version
        }
        return result
    }

    /// Says of the fields that a new record lacks that this is a value, too: whoever made the record knows them.
    private func noteUnset(_ mapping: RecordMapping, _ stamps: inout EditStamps) {
        for field in mapping.stampedFields
        where !field.isFormer && stamps.stamps[field.stampKey] == nil {
            stamps.stamps[field.stampKey] = .unset
        }
    }

    /// Gives stamps to what was written without, except for fields that are sent. In a former field it counts as edited no
    /// later than the present one, unless that takes its value with this save.
    private func noteForeign(
        _ foreign: [UInt32: UInt32], except sent: Set<UInt32>, _ mapping: RecordMapping,
        _ stamps: inout EditStamps
    ) {
        let known = stamps.stamps
        for (key, digest) in foreign where !sent.contains(key) {
            let keys = mapping.stampKeys.values.first { $0.contains(key) } ?? [key]
            let isStanding = keys[0] != key && !sent.contains(keys[0])
            let edit = isStanding ? known[keys[0]]?.edit ?? stamps.version : stamps.version
            stamps.stamps[key] = EditStamps.Stamp(edit: edit, digest: digest)
        }
    }

    /// The version in which a user last edited a field, or what was the field before; nil if neither has a stamp.
    private func lastEdit(
        of field: ValueField, _ stamps: EditStamps, _ mapping: RecordMapping
    ) -> UInt64? {
        let fields = mapping.stampedFields.filter {
            $0.stampKey == field.stampKey || $0.isFormer && $0.name == field.name
        }
        return fields.compactMap { stamps.stamps[$0.stampKey]?.edit }.max()
    }

    /// Whether a value of an object that is sent as a whole is not the one that its record has, as far as that is known.
    private func isUnlike(
        _ known: KnownEdits?, _ field: ValueField, _ digest: UInt32?, _ mapping: RecordMapping,
        _ fields: PropertyValues
    ) -> Bool {
        guard let digest else { return false }
        if known?.foreign[field.stampKey] != nil { return true }
        if let stamp = known?.stamps?.stamps[field.stampKey], stamp != .unset {
            return stamp.digest != digest
        }
        // Nobody has written the field yet. A default is no edit.
        guard case .attribute(let attribute) = field.content else { return true }
        return (try? mapping.isDefault(fields[field.name], of: attribute.column)) != true
    }

    /// What is known of the edits of a record that is saved without stamps.
    func editsWithoutStamps(
        of record: CKRecord, _ mapping: RecordMapping, _ fields: PropertyValues
    ) -> KnownEdits {
        KnownEdits(record, mapping).adding(
            isInsertion ? nil : change.edits,
            except: Set(sentFields(mapping, fields).map(\.stampKey)))
    }

    /// The fields that are saved.
    private func sentFields(_ mapping: RecordMapping, _ fields: PropertyValues) -> [ValueField] {
        let keys = keys(of: mapping)
        let emptied = Set(keys == nil ? [] : emptiedFormerFields)
        return mapping.stampedFields.filter { field in
            field.isFormer
                ? emptied.contains(field.field)
                : keys?.contains(field.name) ?? !fields[field.name].isNull
        }
    }

    /// Whether the record is sent as one that the server does not have.
    private var isInsertion: Bool { change.systemFields == nil }

    /// Whether its user has made the object again, and its deletion may have been carried out. It continues nothing then.
    private var isMadeAgain: Bool { isInsertion && !change.replaced.values.isEmpty }

    /// The stamps of the version that follows a known one.
    private func nextVersion(of known: EditStamps?, _ request: StampedRequest) -> EditStamps {
        var next: EditStamps
        if let known, known.version < EditStamps.lastVersion {
            next = known
            next.version += 1
            if isInsertion {
                next.chain = request.token
                next.origin = EditStamps.Origin(chain: known.chain, version: known.version)
            }
        } else {
            // Each request that makes a record begins a chain, so that no chain has two versions with one number.
            next = EditStamps(chain: request.token, version: 1)
            if isInsertion, !isMadeAgain, let token = lostInsertion {
                next.origin = EditStamps.Origin(chain: token, version: 1)
                next.version = 2
            }
        }
        next.note(
            EditStamps.Save(file: request.file, token: request.token, version: next.version))
        return next
    }

    /// The token of a request that may have inserted the record into a zone that was lost since.
    private var lostInsertion: UInt64? {
        change.requests.last { !$0.isDeletion && $0.isForgotten }?.token
    }

    /// A new record has no value in a field that is not sent. What was edited in a former field goes on in the present one.
    private func forgetValues(
        except sent: Set<UInt32>, _ mapping: RecordMapping, _ stamps: inout EditStamps
    ) {
        for field in mapping.stampedFields where field.isFormer {
            guard let former = stamps.stamps[field.stampKey] else { continue }
            for present in mapping.stampedFields
            where present.name == field.name && !present.isFormer {
                if let edit = stamps.stamps[present.stampKey]?.edit {
                    stamps.stamps[present.stampKey]?.edit = max(edit, former.edit)
                }
            }
            stamps.stamps[field.stampKey]?.edit = 0
        }
        for key in stamps.stamps.keys
        where !sent.contains(key) && stamps.stamps[key]?.digest != nil {
            stamps.stamps[key]?.digest = FieldDigest.ofNothing
        }
    }
}
