/// Values that a device sends only because its new model syncs an attribute that was local before.
extension Oracle {
    /// Whether what a migration sends is certainly no edit that meets another edit, or a deletion.
    ///
    /// It is none for a device that has such a model, too. But a device that has read the record with this model may
    /// know that it had no value, and then takes the first one for an edit.
    func isNoEdit(_ migrated: Edit, to edit: Edit) -> Bool {
        guard migrated.isOfMigration, migrated.place != edit.place, !edit.isOfMigration else {
            return false
        }
        // Its own device meets the edit.
        if edit.arrival ?? .max < migrated.firstAttempt ?? .max { return true }
        // The other device meets the value when it first reads the record, and not later.
        guard let attempt = edit.firstAttempt, migrated.arrival ?? .max < attempt else {
            return false
        }
        return migrated.values.keys.allSatisfy { edit.unread[$0] ?? .max < attempt }
    }

    /// Whether what a migration sends certainly does not compete with an edit. It may if the edit's device has set
    /// the same attribute, because policies decide on what it sends in one record.
    private func isNoRival(migrated: Edit, of edit: Edit) -> Bool {
        isNoEdit(migrated, to: edit)
            && !history.edits(of: edit.ident).contains { other in
                other.place == edit.place && !other.isOfMigration
                    && other.values.keys.contains { migrated.values[$0] != nil }
            }
    }

    /// Whether a change that no user has made certainly does not compete with an edit. It is what a migration sends, or
    /// the removal of references that are back.
    func isNoRival(_ change: Edit, of edit: Edit) -> Bool {
        isGivenBack(change) || isNoRival(migrated: change, of: edit)
    }

    /// Whether one of two edits is such a change, and does not compete with the other one.
    func areNoRivals(_ first: Edit, _ second: Edit) -> Bool {
        isNoRival(first, of: second) || isNoRival(second, of: first)
    }

    /// Whether another device's migration has sent a value of the same attribute as an edit that is of a migration,
    /// too, and a copy has that value, or what somebody who knew it has made of it. Nobody has edited either value, so
    /// one of them may replace the other without a copy.
    func givesWay(
        _ edit: Edit, _ name: String, toFirstValueIn copies: [Snapshot.Object], _ edits: [Edit]
    ) -> Bool {
        guard edit.isOfMigration else { return false }
        let others = edits.filter {
            $0.isOfMigration && $0.place != edit.place && $0.values[name] != nil
        }
        let rest = edits.filter { later in
            others.contains { later.id == $0.id || later.knows($0) }
        }
        return copies.contains { copy in
            rest.contains { $0.values[name] != nil && $0.values[name] == copy.values[name] }
        }
    }

    /// Whether a device may take an edit for what a migration sends, because it is of attributes that the device of
    /// another edit, or its own one, had not read since its model syncs them.
    func mayCountAsMigrated(_ edit: Edit, to other: Edit) -> Bool {
        edit.values.keys.contains { edit.unread[$0] != nil || other.unread[$0] != nil }
    }

    /// The same of edits on two branches, in either direction.
    func mayCountAsMigrated(_ first: [Edit], _ second: [Edit]) -> Bool {
        first.contains { edit in
            second.contains {
                mayCountAsMigrated(edit, to: $0) || mayCountAsMigrated($0, to: edit)
            }
        }
    }
}
