/// Compares members of a type with Apple's documentation, at compile time.
///
/// A call compiles for any type that the member's value converts to. These checks compile for one
/// type only, so they distinguish `String` from `String?`, a throwing method from a nonthrowing
/// one, and an escaping closure from a nonescaping one.
struct Members<Root> {
    /// A settable instance property.
    func settable<Value>(_: ReferenceWritableKeyPath<Root, Value>, _: Value.Type) {}

    /// A read-only instance property.
    func readOnly<Value>(_: KeyPath<Root, Value>, _: Value.Type) {}

    /// The more specific overload, chosen if the property is settable. The unused result is a
    /// warning.
    func readOnly<Value>(
        _: ReferenceWritableKeyPath<Root, Value>, _: Value.Type
    ) -> PropertyThatCanBeWritten {
        PropertyThatCanBeWritten()
    }

    /// A type property.
    func shared<Value>(_: KeyPath<Root.Type, Value>, _: Value.Type) {}

    /// An instance method, passed as `type(of: Root.method)`. The methods of a `Sendable` type are
    /// `Sendable`, too.
    func method<Method>(_: (@Sendable (Root) -> Method).Type, _: Method.Type) {}

    /// An initializer or a type method, passed as `type(of: Root.function)`.
    func function<Function>(_: Function.Type, _: Function.Type) {}
}

/// The result of `Members.readOnly` for a property that is read-only in Apple's API.
struct PropertyThatCanBeWritten {}
