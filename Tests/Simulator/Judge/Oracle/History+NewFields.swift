/// Attributes that a new version of a device's model stores in another field.
extension History {
    /// An attribute's value that a device sends again, in the attribute's new field. Devices that have had
    /// the version before take it for an edit.
    struct SentAgain {
        let place: Int
        let name: String
        let value: Value
        /// When the device got the version.
        let birth: Int
        /// When the device first began a sync after that.
        var firstAttempt: Int?
        /// When the value certainly was on the server.
        var arrival: Int?
    }

    /// An attribute that a place's model stores in another field than the model before.
    struct NewField {
        /// When the place got this version of the model.
        let since: Int
        /// The kinds of objects for which that is so.
        let kinds: Set<Kind>
    }

    /// What a place showed of an attribute that its model stores in another field.
    struct InNewField {
        /// When the place got this version of the model.
        let since: Int
        let values: Set<Value>
    }

    /// Records that a device gets a version of the model that stores an attribute of some objects in
    /// another field.
    mutating func moveField(of name: String, at place: Int, _ hasMoved: (Kind) -> Bool) {
        time += 1
        newFields[place][name] = NewField(since: time, kinds: Set(Kind.allCases.filter(hasMoved)))
        for object in shows(place).objects.values where hasMoved(object.kind) {
            guard let value = object.values[name], value != Value.none else { continue }
            sentAgain[object.ident, default: []].append(
                SentAgain(place: place, name: name, value: value, birth: time))
        }
    }

    /// What a place shows of an object's attributes that its model stores in other fields.
    func inNewFields(_ ident: String, at place: Int) -> [String: InNewField] {
        let objects = copies[place][ident] ?? []
        let fields = newFields[place].filter { field in
            kinds[ident].map(field.value.kinds.contains) ?? false
        }
        return fields.reduce(into: [:]) { result, field in
            result[field.key] = InNewField(
                since: field.value.since, values: Set(objects.compactMap { $0.values[field.key] }))
        }
    }

    /// Changes the records of the values that a device sends again.
    mutating func updateSentAgain(from place: Int, _ body: (inout SentAgain) -> Void) {
        for ident in sentAgain.keys {
            for index in sentAgain[ident, default: []].indices
            where sentAgain[ident]?[index].place == place {
                body(&sentAgain[ident, default: []][index])
            }
        }
    }
}
