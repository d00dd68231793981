import FoundationGaps

extension LoadedModules {
    /// Has value transformers found by the names of their classes alone, as models name them.
    static let findsTransformers: Void = ValueTransformer._setClassFinder { name in
        LoadedModules.shared.subclass(named: name, of: ValueTransformer.self)
    }
}
