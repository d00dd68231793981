/// What the device of a deletion cannot see.
extension History {
    /// Records that a place gets another version of the model. What it has not sent is sent with that.
    ///
    /// - Parameter names: The attributes that this version does not have.
    mutating func getModel(at place: Int, lacking names: Set<String>) {
        unknownNames[place] = names
        for index in edits.indices
        where edits[index].place == place && edits[index].arrival == nil {
            edits[index].unknown.formIntersection(names)
        }
    }
}
