extension NSAttributeDescription {
    /// The class that the model names for the values of a transformable attribute, with or without its module; nil if it
    /// names none, or one that the process lacks.
    ///
    /// Linux-only: a class cannot be found by its name alone there.
    public final var _valueClass: AnyClass? {
        guard attributeType == .transformableAttributeType, let name = attributeValueClassName,
            !name.isEmpty, name != "NSObject"
        else { return nil }
        return NSClassFromString(name)
            ?? LoadedModules.shared.subclass(named: name, of: NSObject.self)
    }
}
