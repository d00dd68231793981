/// What a save says about each field.
extension StampJudge {
    /// A field of a save.
    private struct Field {
        let name: String
        /// What the model says about it; nil if it knows nothing.
        var description: JudgedField?
        /// Whether the device certainly knows it.
        var isKnown = false
        var isSent = false
        /// The stamp that the save continues, and the present one.
        var former: RecordStamps.Stamp?
        var now: RecordStamps.Stamp?
    }

    mutating func judgeStamps(
        _ save: StampedSave, _ stamps: RecordStamps, _ base: RecordStamps?
    ) {
        // Then there is nothing to compare them with.
        if stamps.origin != nil, base == nil { return }
        var rest = Set(stamps.stamps.keys).union(base?.stamps.keys.map { $0 } ?? [])
        for var field in fields(save) {
            let key = RecordStamps.key(of: field.name)
            rest.remove(key)
            field.former = base?.stamps[key]
            field.now = stamps.stamps[key]
            stampCount += 1
            judge(field, save, stamps.version.number, base)
        }
        for key in rest.sorted() {
            let name = "a field with the key \(String(key, radix: 16))"
            let field = Field(name: name, former: base?.stamps[key], now: stamps.stamps[key])
            judge(field, save, stamps.version.number, base)
        }
    }

    /// The fields that the record, the request or the device's model has.
    private func fields(_ save: StampedSave) -> [Field] {
        let models = save.versions.map { $0.fields(of: save.kind) }
        let all = Set(models.flatMap { $0 })
        let companions = Set(all.flatMap(\.companions))
        let names = Set(all.map(\.name)).union(save.sent).union(save.now.values.keys)
            .union(save.former?.values.keys.map { $0 } ?? [])
            .subtracting(companions).subtracting([RecordStamps.field])
        return names.sorted().map { name in
            let description = all.first { $0.name == name }
            return Field(
                name: name, description: description,
                isKnown: models.allSatisfy { $0.contains { $0.name == name } },
                isSent: !save.sent.isDisjoint(with: [name] + (description?.companions ?? [])))
        }
    }

    private mutating func judge(
        _ field: Field, _ save: StampedSave, _ number: UInt64, _ base: RecordStamps?
    ) {
        if ModelVersion.isDecidedElsewhere(field.name, of: save.kind) {
            if field.now != nil {
                complain(
                    "a stamp of a field without one", save,
                    "\(field.name), which the other end decides, \(text(field))")
            }
        } else if field.isSent {
            judgeSent(field, save, number, base)
        } else if save.former == nil {
            judgeLeftOut(field, save, number)
        } else {
            judgeKept(field, save, number)
        }
    }

    // MARK: - Sent fields

    private mutating func judgeSent(
        _ field: Field, _ save: StampedSave, _ number: UInt64, _ base: RecordStamps?
    ) {
        guard let now = field.now else {
            return complain("a stamp is missing", save, "\(field.name) is sent without one")
        }
        judgeFit(now, field, save)
        let former = field.former?.edit ?? 0
        let source = field.description?.former
        let moved = source.flatMap { base?.stamps[RecordStamps.key(of: $0)]?.edit }
        if now.edit != number {
            if now.edit != former, now.edit != moved {
                complain("a stamp has a wrong edit", save, "\(field.name) \(text(field))")
            }
            if let property = field.description?.property, save.isEdited.contains(property) {
                complain(
                    "a stamp lacks an edit", save,
                    "a user has edited \(property), and \(field.name) \(text(field))")
            }
            return
        }
        guard let description = field.description, !description.isOrder,
            let possible = save.mayBeEdited, !possible.contains(description.property)
        else { return }
        let names = [field.name] + (source.map { [$0] } ?? [])
        if names.contains(where: { mayHaveStrangerValue($0, save, base) }) { return }
        complain(
            "a stamp has an edit of nobody", save,
            "no user of the device has edited \(description.property), and \(field.name)"
                + " \(text(field))")
    }

    /// Whether somebody who writes no stamps may have written a field since the version that a save continues.
    private func mayHaveStrangerValue(
        _ name: String, _ save: StampedSave, _ base: RecordStamps?
    ) -> Bool {
        if save.former == nil, hadStranger(save) { return true }
        guard let former = save.former else { return false }
        return Self.fits(base?.stamps[RecordStamps.key(of: name)], former, name) != true
    }

    private mutating func judgeFit(
        _ stamp: RecordStamps.Stamp, _ field: Field, _ save: StampedSave
    ) {
        let isRight =
            save.now.values[field.name] == nil
            ? stamp.digest == 0 : Self.fits(stamp, save.now, field.name) != false
        if isRight { return }
        // So that such a date does not hide another violation.
        let isFar = save.now.values[field.name]?.isFarDate == true
        complain(
            isFar ? "a stamp does not fit a far date" : "a stamp does not fit", save,
            "\(field.name) \(text(field)), and \(value(field, save))")
    }

    // MARK: - Other fields

    /// A field that an insertion leaves out.
    private mutating func judgeLeftOut(_ field: Field, _ save: StampedSave, _ number: UInt64) {
        guard let now = field.now else {
            if field.former != nil {
                complain("a stamp is missing", save, "\(field.name) \(text(field))")
            }
            return
        }
        if now.digest != 0 {
            complain("a stamp does not fit", save, "\(field.name) is left out, \(text(field))")
        }
        if now.edit == field.former?.edit ?? 0 { return }
        if now.edit == number, hadStranger(save) { return }
        complain("a stamp has a wrong edit", save, "\(field.name) is left out, \(text(field))")
    }

    /// A field that an update leaves as it is.
    private mutating func judgeKept(_ field: Field, _ save: StampedSave, _ number: UInt64) {
        guard let former = save.former else { return }
        if field.description == nil {
            if field.now != field.former {
                complain(
                    "a stamp is changed", save,
                    "\(field.name), which the device does not know, \(text(field))")
            }
            return
        }
        let isForeign = Self.fits(field.former, former, field.name).map { !$0 }
        let isNoted =
            field.now?.edit == number && Self.fits(field.now, save.now, field.name) != false
        if field.isKnown {
            switch isForeign {
            case true? where !isNoted:
                let isFar = save.now.values[field.name]?.isFarDate == true
                complain(
                    isFar ? "a stamp does not fit a far date" : "a stranger's value is not noted",
                    save,
                    "\(field.name) \(text(field)), and \(value(field, save))")
            case false? where field.now != field.former:
                complain("a stamp is changed", save, "\(field.name) is not sent, \(text(field))")
            default: break
            }
        }
        if field.now == field.former || isNoted && isForeign != false { return }
        if field.isKnown, isForeign != nil { return }
        complain("a stamp is changed", save, "\(field.name) is not sent, \(text(field))")
    }

    // MARK: - Digests

    /// Whether a stamp says what a record has in a field; nil if that is not known.
    ///
    /// A field without a value, and one that has never had a stamp, agree.
    static func fits(_ stamp: RecordStamps.Stamp?, _ record: WireRecord, _ name: String) -> Bool? {
        guard let value = record.values[name] else {
            guard let stamp else { return true }
            // A value that was encrypted has no digest, so it may have been removed.
            return stamp.digest.map { $0 == 0 }
        }
        guard let stamp else { return false }
        if record.encrypted.contains(name) { return stamp.digest == nil }
        return value.digest.map { $0 == stamp.digest }
    }

    private func text(_ field: Field) -> String {
        func text(_ stamp: RecordStamps.Stamp?) -> String {
            guard let stamp else { return "no stamp" }
            let digest = stamp.digest.map { String($0, radix: 16) } ?? "none"
            return "edit \(stamp.edit) and digest \(digest)"
        }
        return "has \(text(field.now)) after \(text(field.former))"
    }

    private func value(_ field: Field, _ save: StampedSave) -> String {
        guard let value = save.now.values[field.name] else { return "the record has no value" }
        if save.now.encrypted.contains(field.name) { return "the value is encrypted" }
        let digest = value.digest.map { String($0, radix: 16) } ?? "unknown"
        return "the digest of \("\(value)".prefix(60)) is \(digest)"
    }
}
