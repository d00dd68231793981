/// Foundation's `NSIsNil` and `NSIsNotNil`.
final class NilTestTransformer: ValueTransformer {
    private let expectsNil: Bool

    init(expectsNil: Bool) {
        self.expectsNil = expectsNil
        super.init()
    }

    required init() {
        expectsNil = true
        super.init()
    }

    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: (unwrapped(value) == nil) == expectsNil)
    }
}

/// Foundation's `NSNegateBoolean`.
final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !PredicateValue(value).isTrue)
    }
}
