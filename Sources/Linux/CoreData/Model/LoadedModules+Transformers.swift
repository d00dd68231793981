import FoundationGaps

extension LoadedModules {
    /// Enables finding value transformers by their class names alone, which models use.
    static let findsTransformers: Void = ValueTransformer._setClassFinder { name in
        LoadedModules.shared.subclass(named: name, of: ValueTransformer.self)
    }
}
