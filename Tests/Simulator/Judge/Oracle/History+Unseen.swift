/// What the device of a deletion cannot see.
extension History {
    /// Records that a place gets another version of the model. What it has not sent is sent with that.
    ///
    /// - Parameters:
    ///   - names: The attributes that this version does not have, or does not sync.
    ///   - synced: The attributes that it syncs, and that were local before.
    mutating func getModel(
        at place: Int, lacking names: Set<String>, syncing synced: Set<String> = []
    ) {
        time += 1
        unknownNames[place] = names
        let since = synced.reduce(into: [:]) { $0[$1] = time }
        syncedSince[place, default: [:]].merge(since) { $1 }
        for index in edits.indices
        where edits[index].place == place && edits[index].arrival == nil {
            edits[index].unknown.formIntersection(names)
            edits[index].unread.merge(since) { $1 }
        }
    }

    /// Records what an edit's place could not know of because of its model.
    mutating func noteModel(of id: Int) {
        let edit = edits[id]
        edits[id].unknown = unknownNames[edit.place]
        if edit.action == .insert { return }
        edits[id].unread = (syncedSince[edit.place] ?? [:]).filter { _, since in
            // Its user knows that a new object has no value.
            begins[edit.place] < since
                && !edits(of: edit.ident).contains {
                    $0.place == edit.place && $0.action == .insert && $0.birth >= since
                }
        }
    }

    /// Records that a device which has lost the system fields of an object's record to damage meets a version of
    /// the record that it had not received.
    mutating func meetAnother(_ ident: String, at place: Int) {
        for id in edits(of: ident).map(\.id)
        where edits[id].action == .delete && edits[id].place == place && edits[id].arrival == nil {
            edits[id].mayMeetAnother = true
        }
    }
}
