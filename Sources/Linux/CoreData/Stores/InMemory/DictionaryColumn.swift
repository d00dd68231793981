import FoundationGaps

/// A column of a dictionary fetch: a property, a path of keys, or an expression.
struct DictionaryColumn {
    /// The key in the resulting dictionaries.
    let name: String
    /// Whether the value is computed over a group of rows instead of over each row.
    let isAggregate: Bool
    /// Whether the value comes from an expression description of the request.
    let isComputed: Bool
    private let expression: NSExpression

    /// Creates a column from an element of `propertiesToFetch` or `propertiesToGroupBy`: a
    /// description or a name.
    ///
    /// - Parameters:
    ///   - property: The description or the name.
    ///   - entity: The fetched entity, which must have the property.
    init(_ property: Any, of entity: NSEntityDescription?) {
        isComputed = property is NSExpressionDescription
        switch property {
        case let description as NSExpressionDescription:
            name = description.name
            expression = description.expression ?? NSExpression(forConstantValue: nil)
        case let description as NSRelationshipDescription where description.isToMany:
            raise(
                .invalidArgument,
                "Invalid to-many relationship (\(description.name)) in setPropertiesToFetch:")
        case let description as NSPropertyDescription:
            name = description.name
            expression = NSExpression(forKeyPath: description.name)
        case let path as String:
            if let entity { Self.require(path, of: entity) }
            name = path
            expression = NSExpression(forKeyPath: path)
        default:
            raise(
                .invalidArgument,
                "Invalid property \(property) passed to setPropertiesToFetch:")
        }
        isAggregate = expression.isAggregate
    }

    /// Stops the process for a path that does not begin with a property of the entity, or is a
    /// to-many relationship.
    private static func require(_ path: String, of entity: NSEntityDescription) {
        let first = path.prefix { $0 != "." }
        guard let property = entity.propertiesByName[String(first)]
        else {
            guard ["self", "SELF", "objectID"].contains(first) || first.hasPrefix("@") else {
                raise(.invalidArgument, "Invalid keypath \(path) passed to setPropertiesToFetch:")
            }
            return
        }
        if first == path, (property as? NSRelationshipDescription)?.isToMany == true {
            raise(
                .invalidArgument,
                "Invalid to-many relationship (\(path)) in setPropertiesToFetch:")
        }
    }

    /// The value over the rows of a group, or of the only row.
    ///
    /// Related rows are replaced by their IDs.
    func value<Row: StoredObject>(of rows: [Row]) -> Any? {
        let object: Any? = isAggregate ? rows : rows.first
        switch expression.expressionValue(with: object, context: nil) {
        case nil, is NSNull: return nil
        case let row as Row: return row.objectID
        case let value?: return value
        }
    }
}

extension NSExpression {
    private static let aggregateFunctions: Set<String> = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    /// Whether the expression aggregates many rows. A function of one row's to-many relationship
    /// does not.
    fileprivate var isAggregate: Bool {
        switch expressionType {
        case .function:
            Self.aggregateFunctions.contains(function)
                || (arguments ?? []).contains(where: \.isAggregate)
        case .keyPath:
            keyPath.hasPrefix("@")
        default:
            false
        }
    }
}
