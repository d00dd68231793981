// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension UndoManager {
    @preconcurrency public func registerUndo<Target>(
        withTarget target: Target, handler: @escaping @MainActor (Target) -> Void
    ) where Target: AnyObject {}
}
