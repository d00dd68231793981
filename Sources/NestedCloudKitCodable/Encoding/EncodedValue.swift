import CloudKit

/// The encoded form of an object, before it is converted to a record's fields.
///
/// A class, because the containers of Codable are filled after they have been returned.
final class EncodedValue {
    enum Content {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
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

    /// Sets a value by name. The first use of a name determines its position.
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

    /// The number of values in a list.
    var count: Int {
        if case .list(let values)? = content { return values.count }
        return 0
    }
}
