/// The object, the variables and the context of an evaluation.
struct EvaluationScope {
    /// The object that `SELF` and key paths refer to.
    let object: Any?
    /// The values of variables, by name without the dollar sign.
    var variables: [String: Any]
    /// The caller's dictionary, in which blocks may keep state of their own.
    let dictionary: NSMutableDictionary?

    init(object: Any?, variables: [String: Any]?) {
        self.object = object
        self.variables = variables ?? [:]
        dictionary = nil
    }

    init(object: Any?, dictionary: NSMutableDictionary?) {
        self.object = object
        self.dictionary = dictionary
        variables = [:]
        for (key, value) in dictionary ?? [:] {
            if let key = key as? String { variables[key] = value }
        }
    }

    /// The value of a variable; an unbound one is a mistake in the program.
    func value(of variable: String) -> Any? {
        guard let value = variables[variable] else {
            _raise(
                invalidArgumentException,
                "Can't get value for '\(variable)' in bindings \(variables).")
        }
        return unwrapped(value)
    }
}
