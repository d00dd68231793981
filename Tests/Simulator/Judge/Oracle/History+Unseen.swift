/// What the device of a deletion cannot see.
extension History {
    /// Records that a place gets another version of the model. What it has not sent is sent with that.
    ///
    /// - Parameter names: The attributes that this version does not have, or does not sync.
    mutating func getModel(at place: Int, lacking names: Set<String>) {
        unknownNames[place] = names
        for index in edits.indices
        where edits[index].place == place && edits[index].arrival == nil {
            edits[index].unknown.formIntersection(names)
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
