import CloudKit

/// What an object coded itself as, before it is known what of it fits into a record's field.
///
/// A class, because the containers of Codable are filled after they have been handed out.
final class EncodedValue {
    enum Content {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case date(Date)
        case data(Data)
        case url(URL)
        case record(CKRecord.ID)
        case list([EncodedValue])
        case object(names: [String], values: [String: EncodedValue])
    }

    var content: Content?

    init(_ content: Content? = nil) {
        self.content = content
    }

    /// Sets a value by name; the first use of a name decides its place.
    func set(_ value: EncodedValue, forName name: String) {
        guard case .object(var names, var values)? = content else {
            content = .object(names: [name], values: [name: value])
            return
        }
        content = nil
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
        content = .object(names: names, values: values)
    }

    /// Adds a value to a list.
    func append(_ value: EncodedValue) {
        guard case .list(var values)? = content else {
            content = .list([value])
            return
        }
        content = nil
        values.append(value)
        content = .list(values)
    }

    /// How many values a list has.
    var count: Int {
        if case .list(let values)? = content { return values.count }
        return 0
    }
}
