import FoundationGaps

extension ArchivedPredicate {
    /// The format of an archived expression; its values are added to the arguments.
    mutating func format(ofExpression object: ArchivedObject) throws -> String {
        guard let format = try object.reading({ try contents(ofExpression: object) }) else {
            throw Failure(description: "it contains itself")
        }
        return format
    }

    private mutating func contents(ofExpression object: ArchivedObject) throws -> String {
        switch object.className {
        case "NSSelfExpression": return "SELF"
        case "NSAnyKeyExpression": return "ANYKEY"
        case "NSVariableExpression": return "$" + (try word("NSVariable", of: object))
        case "NSConstantValueExpression":
            guard let value = object.value("NSConstantValue") else { return "NULL" }
            arguments.append(value)
            return "%@"
        case "NSKeyPathSpecifierExpression":
            arguments.append(object.string("NSKeyPath") ?? "")
            return "%K"
        case "NSSymbolicExpression": return try word("NSToken", of: object)
        case "NSKeyPathExpression": return try keyPath(object)
        case "NSFunctionExpression": return try function(object)
        case "NSAggregateExpression": return "{\(try list("NSCollection", of: object))}"
        case "NSSetExpression": return try setOperation(object)
        case "NSSubqueryExpression": return try subquery(object)
        case "NSTernaryExpression": return try conditional(object)
        case "NSFetchRequestExpression": return try fetch(object)
        default:
            throw Failure(description: "\(object.className) is not a known expression")
        }
    }

    // MARK: - Kinds of expressions

    private mutating func keyPath(_ object: ArchivedObject) throws -> String {
        let path = object.objects("NSArguments").first?.string("NSKeyPath") ?? ""
        guard let operand = object.object("NSOperand"), operand.className != "NSSelfExpression"
        else {
            arguments.append(path)
            return "%K"
        }
        let start = try format(ofExpression: operand)
        arguments.append(path)
        return start + ".%K"
    }

    /// A function of the language, whose operand is a constant that names no object, or a method of
    /// another expression.
    private mutating func function(_ object: ArchivedObject) throws -> String {
        let selector = try word("NSSelectorName", of: object)
        guard let operand = object.object("NSOperand"),
            operand.className != "NSConstantValueExpression"
                || operand.value("NSConstantValue") != nil
        else {
            return try languageFunction(selector, object)
        }
        if selector == "valueForKeyPath:" { return try keyPath(object) }
        let target = try format(ofExpression: operand)
        let parameters = try list("NSArguments", of: object)
        return "FUNCTION(\(target), '\(selector)'\(parameters.isEmpty ? "" : ", ")\(parameters))"
    }

    /// A function of the language. Words for positions, such as `FIRST`, are valid in brackets
    /// only.
    private mutating func languageFunction(
        _ selector: String, _ object: ArchivedObject
    ) throws -> String {
        let parameters = object.objects("NSArguments")
        guard selector == "objectFrom:withIndex:", parameters.count == 2 else {
            return "\(selector)(\(try list("NSArguments", of: object)))"
        }
        let collection = try format(ofExpression: parameters[0])
        return "(\(collection))[\(try format(ofExpression: parameters[1]))]"
    }

    private mutating func setOperation(_ object: ArchivedObject) throws -> String {
        let names = [5: "UNION", 6: "INTERSECT", 7: "MINUS"]
        guard let name = object.integer("NSExpressionType").flatMap({ names[$0] }) else {
            throw Failure(description: "a set expression is of an unknown type")
        }
        let left = try part("NSLeftExpression", of: object)
        let right = try part("NSRightExpression", of: object)
        return "((\(left)) \(name) (\(right)))"
    }

    private mutating func subquery(_ object: ArchivedObject) throws -> String {
        let collection = try part("NSExpression", of: object)
        let variable = try word("NSVariable", of: object)
        let filter = try predicate("NSSubpredicate", of: object)
        return "SUBQUERY(\(collection), $\(variable), \(filter))"
    }

    private mutating func conditional(_ object: ArchivedObject) throws -> String {
        let condition = try predicate("NSPredicate", of: object)
        let first = try part("NSTrueExpression", of: object)
        let second = try part("NSFalseExpression", of: object)
        return "TERNARY(\(condition), \(first), \(second))"
    }

    private mutating func fetch(_ object: ArchivedObject) throws -> String {
        let request = try part("NSFRExpression", of: object)
        let context = try part("NSMOCExpression", of: object)
        return "FETCH(\(request), \(context), \(object.boolean("NSCountOnlyFlag") ? "YES" : "NO"))"
    }

    // MARK: - Parts

    private mutating func part(
        _ key: String, of object: ArchivedObject
    ) throws -> String {
        guard let expression = object.object(key) else {
            throw Failure(description: "\(object.className) lacks its \(key)")
        }
        return try format(ofExpression: expression)
    }

    private mutating func predicate(
        _ key: String, of object: ArchivedObject
    ) throws -> String {
        guard let predicate = object.object(key) else {
            throw Failure(description: "\(object.className) lacks its \(key)")
        }
        return try format(ofPredicate: predicate)
    }

    private mutating func list(
        _ key: String, of object: ArchivedObject
    ) throws -> String {
        var elements: [String] = []
        for element in object.objects(key) {
            elements.append(try format(ofExpression: element))
        }
        return elements.joined(separator: ", ")
    }

    /// A name that becomes part of the format and therefore must not contain anything else.
    private func word(_ key: String, of object: ArchivedObject) throws -> String {
        let text = object.string(key) ?? ""
        guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber || "_:".contains($0) })
        else {
            throw Failure(description: "'\(text)' is not a name")
        }
        return text
    }
}
