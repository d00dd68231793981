/// A parsed key path, which is evaluated without further parsing.
struct KeyPathPlan {
    /// One step: a key, or a collection operator whose argument is the rest of the path.
    private enum Step {
        case key(String)
        case collection(CollectionOperator)
    }

    /// The path as a string.
    let string: String
    private let steps: [Step]
    /// The key of a path with a single key, as most have.
    private let singleKey: String?

    init(_ path: String) {
        string = path
        steps = path.split(separator: ".").map { part in
            part.first == "@"
                ? CollectionOperator(rawValue: String(part.dropFirst())).map(Step.collection)
                    ?? .key(String(part))
                : .key(String(part))
        }
        singleKey = if steps.count == 1, case .key(let key) = steps[0] { key } else { nil }
    }

    /// The value at the end of the path.
    func value(of object: Any?) -> Any? {
        if let singleKey { return KeyValueCoding.value(of: object, forKey: singleKey) }
        return value(of: object, steps: steps[...])
    }

    private func value(of object: Any?, steps: ArraySlice<Step>) -> Any? {
        var value = object
        for index in steps.indices {
            switch steps[index] {
            case .key(let key):
                guard let object = value else { return nil }
                value = KeyValueCoding.value(of: object, forKey: key)
            case .collection(let collectionOperator):
                guard let object = value else { return nil }
                return apply(collectionOperator, to: object, rest: steps[(index + 1)...])
            }
        }
        return value
    }

    private func apply(
        _ collectionOperator: CollectionOperator, to collection: Any, rest: ArraySlice<Step>
    ) -> Any? {
        guard let elements = elements(of: collection) else {
            _raise(
                invalidArgumentException,
                "The value before @\(collectionOperator.rawValue) in the key path \"\(string)\" "
                    + "is not a collection")
        }
        let values = elements.map { element in
            rest.isEmpty ? unwrapped(element) : value(of: unwrapped(element), steps: rest)
        }
        return collectionOperator.value(of: values)
    }
}
