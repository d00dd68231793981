import CoreData

/// Compares properties in the form in which they are sent: dates in milliseconds, floats with
/// single precision, decimals by value.
extension RecordMapping {
    /// Whether two values of a property are equal when sent.
    func isEqual(_ name: String, _ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        if left == right { return true }
        guard let attribute = entity.attribute(named: name) else { return false }
        return isEqual(attribute, left, right)
    }

    /// Whether two values of an attribute are equal when sent.
    func isEqual(_ attribute: AttributeColumn, _ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        if left == right { return true }
        if attribute.isExternal {
            // Avoids reading a file to find that it differs from nil.
            if left.isNull || right.isNull { return false }
            return bytes(left) == bytes(right)
        }
        if left.isNull || right.isNull, !Self.mayBeLeftBehind(attribute.kind) { return false }
        return Self.wireForm(left, attribute.kind) == Self.wireForm(right, attribute.kind)
    }

    /// The bytes of a value, read from its file if it has one.
    private func bytes(_ value: SQLiteValue) -> Data? {
        if case .text(let file) = value { return externalData?.data(file) }
        return value.blob
    }

    /// Whether CloudKit cannot store a value: NaN and infinity.
    static func isLeftBehind(_ value: SQLiteValue, _ kind: AttributeKind) -> Bool {
        guard mayBeLeftBehind(kind) else { return false }
        if case .text = value { return true }
        return value.real.map { !$0.isFinite } ?? false
    }

    /// Whether there are values of a kind that CloudKit cannot store. Only these are nil when sent without
    /// being nil here.
    static func mayBeLeftBehind(_ kind: AttributeKind) -> Bool {
        switch kind {
        case .double, .float: return true
        case .integer16, .integer32, .integer64, .decimal, .string, .boolean, .date, .binaryData,
            .uuid, .uri, .transformable:
            return false
        }
    }

    /// The names of the synced properties that differ between two objects. A composite attribute is one property:
    /// if one of its elements differs, all do.
    func differences(_ left: PropertyValues, _ right: PropertyValues) -> Set<String> {
        withWholeComposites(propertyNames.filter { !isEqual($0, left[$0], right[$0]) })
    }

    /// Some properties, and all elements of a composite attribute if they have one.
    func withWholeComposites(_ names: Set<String>) -> Set<String> {
        compositeNames.reduce(names) { $0.isDisjoint(with: $1) ? $0 : $0.union($1) }
    }

    /// The names of the property with a name: those of all elements if it is an element of a composite attribute.
    func compositeNames(with name: String) -> Set<String> {
        compositeNames.first { $0.contains(name) } ?? [name]
    }

    /// The server's values where an object has others, as the base of a change.
    func base(of fields: PropertyValues, from server: PropertyValues) -> PropertyValues {
        var base = PropertyValues()
        for name in differences(fields, server) { base[name] = server[name] }
        return base
    }

    private static func wireForm(_ value: SQLiteValue, _ kind: AttributeKind) -> SQLiteValue {
        switch kind {
        case .date:
            return value.real.map { .real($0.travelingMilliseconds) } ?? value
        case .float:
            return value.real.map { .real(Double(Float($0))) } ?? .null
        case .double:
            // A value that CloudKit cannot store stays here and does not count as a difference.
            return value.real.flatMap { $0.isFinite ? .real($0) : nil } ?? .null
        case .decimal:
            return value.text.flatMap(DecimalCollation.decimal)
                .map { .text(DecimalCollation.text($0)) } ?? value
        case .integer16, .integer32, .integer64, .string, .boolean, .binaryData, .uuid, .uri,
            .transformable:
            return value
        }
    }
}
