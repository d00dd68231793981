/// Attributes that a new version of a device's model stores in another field.
extension History {
    /// Whether the model of a place has only now got a property. It then has its default, which nobody
    /// wrote.
    func isNew(_ name: String, in before: [Snapshot.Object]) -> Bool {
        !before.isEmpty && before.allSatisfy { $0.values[name] == nil }
    }

    /// What the server has in an attribute's new field from a time on, of the copies of an object.
    struct FieldState {
        let since: Int
        let values: Set<Value>
    }

    /// An attribute that a place's model stores in another field than the model before.
    struct NewField {
        /// When the place got this version of the model.
        let since: Int
        /// The kinds of objects for which that is so.
        let kinds: Set<Kind>
        /// The edits that the place knew then. It takes over only later ones from the former field.
        let known: Set<Int>
        /// What the place showed of the attribute then, by identity.
        let shown: [String: Set<Value>]
        /// When the place's first successful pass since then began.
        var firstPass: Int?
    }

    /// Records that a device gets a version of the model that stores an attribute of some objects in
    /// another field.
    mutating func moveField(of name: String, at place: Int, _ hasMoved: (Kind) -> Bool) {
        time += 1
        newFields[place][name] = NewField(
            since: time, kinds: Set(Kind.allCases.filter(hasMoved)),
            known: known[place].values.reduce(into: []) { $0.formUnion($1) },
            shown: copies[place].mapValues { Set($0.compactMap { $0.values[name] }) })
    }

    /// What a place shows of an object's attributes that its model stores in other fields.
    func shownOfNewFields(_ ident: String, at place: Int) -> [String: Set<Value>] {
        let names = newFields[place].keys.filter { newField(of: $0, at: place, ident) != nil }
        return names.reduce(into: [:]) { result, name in
            result[name] = Set((copies[place][ident] ?? []).compactMap { $0.values[name] })
        }
    }

    /// Records what the server has in new fields.
    mutating func noteNewFields(_ server: Snapshot) {
        let names = Set(newFields.flatMap(\.keys))
        if names.isEmpty { return }
        for (ident, objects) in server.byIdent {
            for name in names where hasMoved(name, ident) {
                let values = Set(objects.compactMap { $0.values[name] }).subtracting([Value.none])
                let states = fieldStates[ident]?[name] ?? []
                if states.last?.values ?? [] == values { continue }
                fieldStates[ident, default: [:]][name] =
                    states + [FieldState(since: time, values: values)]
            }
        }
    }

    /// The values that an attribute's new field had on the server at some time within a range.
    func inNewField(_ name: String, of ident: String, _ times: ClosedRange<Int>) -> Set<Value> {
        let states = fieldStates[ident]?[name] ?? []
        return states.indices.reduce(into: []) { values, index in
            let end = index + 1 < states.count ? states[index + 1].since : .max
            guard states[index].since <= times.upperBound, end > times.lowerBound else { return }
            values.formUnion(states[index].values)
        }
    }

    /// Records what the server has in former fields.
    mutating func noteFormerFields() {
        for (ident, fields) in inFormerFields {
            for (name, values) in fields {
                for value in values {
                    formerFieldTimes[ident, default: [:]][name, default: [:]][value] = time
                }
            }
        }
    }

    // MARK: - Who reads which field

    /// The field in which a place has come to store an object's attribute; nil if its model has not moved it.
    func newField(of name: String, at place: Int, _ ident: String) -> NewField? {
        guard let field = newFields[place][name], kinds[ident].map(field.kinds.contains) ?? false
        else { return nil }
        return field
    }

    /// Whether any device stores an object's attribute in another field than before.
    func hasMoved(_ name: String, _ ident: String) -> Bool {
        newFields.indices.contains { newField(of: name, at: $0, ident) != nil }
    }

    /// Whether an edit was certainly written to an attribute's new field only.
    func isInNewField(_ edit: Edit, _ name: String) -> Bool {
        guard let field = newField(of: name, at: edit.place, edit.ident) else { return false }
        return edit.inNewFields[name] != nil || edit.firstAttempt ?? .max > field.since
    }

    /// Whether an edit may have been written to an attribute's new field.
    func mayBeInNewField(_ edit: Edit, _ name: String) -> Bool {
        guard let field = newField(of: name, at: edit.place, edit.ident) else { return false }
        return edit.inNewFields[name] != nil || edit.answer ?? .max > field.since
    }

    /// Whether an edit may have been written to the field in which attributes were stored before.
    func mayBeInFormerField(_ edit: Edit, _ name: String) -> Bool {
        (edit.firstAttempt != nil || edit.place == serverPlace) && !isInNewField(edit, name)
    }

    /// Whether the server was seen to have an edit's value in an attribute's former field, since
    /// the edit's device first tried to send it. What the server had before this device got the new
    /// field was there.
    func wasInFormerField(_ edit: Edit, _ name: String) -> Bool {
        guard let value = edit.values[name], let attempt = edit.firstAttempt,
            let field = newField(of: name, at: edit.place, edit.ident)
        else { return false }
        return edit.arrival ?? .max < field.since
            || formerFieldTimes[edit.ident]?[name]?[value] ?? 0 >= attempt
    }

    /// Whether the server has a value of an edit in a former field. A device may take it over.
    func isInFormerField(_ edit: Edit) -> Bool {
        inFormerFields[edit.ident]?.contains { name, values in
            edit.values[name].map(values.contains) ?? false
        } ?? false
    }

    /// Whether a place has got the new field of an attribute, and nothing from it before its last pass.
    func isCatchingUp(_ name: String, at place: Int, _ ident: String) -> Bool {
        guard let field = newField(of: name, at: place, ident) else { return false }
        return field.firstPass == nil || field.firstPass == lastPass[place]
    }

    /// The edits that a place knows, does not show, and has not replaced, because they are in a field that it
    /// does not read, or has not read yet.
    func outOfSight(_ ident: String, at place: Int, _ past: Set<Int>) -> [String: Set<Int>] {
        let names = Set(newFields.flatMap(\.keys)).filter { hasMoved($0, ident) }
        return names.reduce(into: [:]) { result, name in
            let shown = Set((copies[place][ident] ?? []).compactMap { $0.values[name] })
            let ids = past.filter { id in
                guard let value = edits[id].values[name], !shown.contains(value) else {
                    return false
                }
                return isUnread(edits[id], name, at: place)
                    && !past.contains { replaces(edits[$0], edits[id], name) }
            }
            if !ids.isEmpty { result[name] = ids }
        }
    }

    private func replaces(_ later: Edit, _ edit: Edit, _ name: String) -> Bool {
        later.values[name] != nil && later.knows(edit)
            && later.outOfSight[name]?.contains(edit.id) != true
    }

    /// Whether an edit is in a field that a place does not read, or from which it may not have got the edit.
    private func isUnread(_ edit: Edit, _ name: String, at place: Int) -> Bool {
        guard let field = newField(of: name, at: place, edit.ident) else {
            return mayBeInNewField(edit, name)
        }
        guard field.known.contains(edit.id) else { return false }
        let lastPass = lastPass[place] ?? 0
        return mayBeInNewField(edit, name) && lastPass < field.since
            || mayBeInFormerField(edit, name) && lastPass < edit.takeover ?? .max
    }

    mutating func noteTakeover(of id: Int) { edits[id].takeover = edits[id].takeover ?? time }

    /// Records that a pass of a place has taken over what the server had in former fields when it began.
    mutating func takeOver(at place: Int, _ server: [String: Set<Int>], since begin: Int) {
        for (name, field) in newFields[place] where field.since < begin {
            newFields[place][name]?.firstPass = field.firstPass ?? begin
            for (ident, ids) in server where newField(of: name, at: place, ident) != nil {
                for id in ids
                where edits[id].values[name] != nil && !field.known.contains(id)
                    && mayBeInFormerField(edits[id], name)
                {
                    noteTakeover(of: id)
                }
            }
        }
    }
}
