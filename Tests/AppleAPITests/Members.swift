/// Compares members of a type with what Apple's documentation says of them, when this is compiled.
///
/// A call that spells a member compiles for any type that its value converts to. These checks
/// compile for one only, so they tell `String` from `String?`, a throwing method from one that
/// does not throw, an escaping closure from one that does not escape.
struct Members<Root> {
    /// An instance property that can be read and written.
    func settable<Value>(_: ReferenceWritableKeyPath<Root, Value>, _: Value.Type) {}

    /// An instance property that can only be read.
    func readOnly<Value>(_: KeyPath<Root, Value>, _: Value.Type) {}

    /// Chosen where the property can be written, as the more special one: the unused result is a
    /// warning.
    func readOnly<Value>(
        _: ReferenceWritableKeyPath<Root, Value>, _: Value.Type
    ) -> PropertyThatCanBeWritten {
        PropertyThatCanBeWritten()
    }

    /// A property of the type itself.
    func shared<Value>(_: KeyPath<Root.Type, Value>, _: Value.Type) {}

    /// An instance method, given as `type(of: Root.method)`. The methods of a type that is
    /// `Sendable` are so too.
    func method<Method>(_: (@Sendable (Root) -> Method).Type, _: Method.Type) {}

    /// An initializer or a method of the type itself, given as `type(of: Root.function)`.
    func function<Function>(_: Function.Type, _: Function.Type) {}
}

/// What `Members.readOnly` leaves unused for a property that Apple does not let one write.
struct PropertyThatCanBeWritten {}
