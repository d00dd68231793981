/// The settings from `configuredWith` of a database or a container.
struct OperationDefaults: Sendable {
    private var configuration: CKOperation.Configuration?
    private var group: CKOperationGroup?

    /// The same settings with the given ones replaced.
    func with(
        _ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?
    ) -> OperationDefaults {
        var defaults = self
        if let configuration { defaults.configuration = configuration }
        if let group { defaults.group = group }
        return defaults
    }

    /// Applies the settings to an operation without its own.
    func apply(to operation: CKOperation) {
        if operation.group == nil { operation.group = group }
        if operation.inheritedConfiguration == nil {
            operation.inheritedConfiguration = configuration
        }
    }
}
