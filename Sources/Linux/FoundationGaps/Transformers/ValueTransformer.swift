/// Converts values of one kind to values of another, and back if possible.
///
/// Mirrors Apple's `ValueTransformer`, which Linux's Foundation lacks. It does nothing by itself: a
/// subclass overrides the transformations.
open class ValueTransformer: NSObject, _NamedValueTransformer {
    /// Creates a transformer. Required, so that a class that is not registered can be found by its
    /// name; Apple's uses the Objective-C runtime for that.
    public required override init() {
        super.init()
    }

    /// Registers a transformer.
    ///
    /// - Parameters:
    ///   - transformer: The transformer; nil removes the one with the name.
    ///   - name: The name under which ``init(forName:)`` finds it.
    open class func setValueTransformer(
        _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
        ValueTransformerRegistry.shared[name] = transformer
    }

    /// The names of all registered transformers, those of Foundation included.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
        ValueTransformerRegistry.shared.names
    }

    /// The class of transformed values.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether the transformer also works in reverse; `true` by default.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The transformed value; by default the value itself.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value for a transformed one. Traps if the transformer does not work in reverse.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else {
            _raise(
                invalidArgumentException,
                "*** -[\(Self.self) reverseTransformedValue:]: reverse transformation is not allowed"
            )
        }
        return transformedValue(value)
    }
}

/// Lets `ValueTransformer(forName:)` return the registered instance, as on Apple's systems. An
/// initializer of a class cannot do that.
public protocol _NamedValueTransformer {}

extension _NamedValueTransformer {
    /// The registered transformer with a name, or a new one of the class with that name, which is
    /// then registered; nil if there is none.
    ///
    /// A class is found as `Module.Class` and, if CoreData is part of the program, by its name
    /// alone. A class that is private or nested in another type cannot be found by name on Linux:
    /// register it.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformerRegistry.shared.transformer(named: name) as? Self
        else { return nil }
        self = transformer
    }
}

/// The transformers of the process by name.
///
/// Unchecked because the lock guards the only mutable property, and registered transformers must
/// support use from any thread.
final class ValueTransformerRegistry: @unchecked Sendable {
    static let shared = ValueTransformerRegistry()

    private let lock = NSLock()
    private var transformers: [NSValueTransformerName: ValueTransformer] = [
        .isNilTransformerName: NilTestTransformer(expectsNil: true),
        .isNotNilTransformerName: NilTestTransformer(expectsNil: false),
        .negateBooleanTransformerName: NegateBooleanTransformer(),
        .unarchiveFromDataTransformerName: KeyedUnarchiveFromDataTransformer(),
        .keyedUnarchiveFromDataTransformerName: KeyedUnarchiveFromDataTransformer(),
        .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        // It can also be found by its class's name.
        NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"):
            NSSecureUnarchiveFromDataTransformer(),
    ]

    subscript(name: NSValueTransformerName) -> ValueTransformer? {
        get { lock.withLock { transformers[name] } }
        set { lock.withLock { transformers[name] = newValue } }
    }

    /// A registered transformer, or a new one of a class.
    func transformer(named name: NSValueTransformerName) -> ValueTransformer? {
        if let transformer = self[name] { return transformer }
        let text = name.rawValue
        let find = lock.withLock { classFinder }
        let found =
            text.contains(".") ? NSClassFromString(text) as? ValueTransformer.Type : find?(text)
        guard let found else { return nil }
        return lock.withLock {
            if let transformer = transformers[name] { return transformer }
            let transformer = found.init()
            transformers[name] = transformer
            return transformer
        }
    }

    private var classFinder: (@Sendable (String) -> ValueTransformer.Type?)?

    /// Sets the function that finds a class by its name without a module.
    func setClassFinder(_ finder: @escaping @Sendable (String) -> ValueTransformer.Type?) {
        lock.withLock { classFinder = finder }
    }

    var names: [NSValueTransformerName] {
        lock.withLock { Array(transformers.keys) }
    }
}

extension ValueTransformer {
    /// Enables finding transformers by class names without modules, which requires the modules of
    /// the program.
    public static func _setClassFinder(
        _ finder: @escaping @Sendable (String) -> ValueTransformer.Type?
    ) {
        ValueTransformerRegistry.shared.setClassFinder(finder)
    }
}
