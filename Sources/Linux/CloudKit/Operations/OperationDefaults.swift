/// What `configuredWith` gives to the operations of a database or a container.
struct OperationDefaults: Sendable {
    private var configuration: CKOperation.Configuration?
    private var group: CKOperationGroup?

    /// The same with what is given in the place of what was.
    func with(
        _ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?
    ) -> OperationDefaults {
        var defaults = self
        if let configuration { defaults.configuration = configuration }
        if let group { defaults.group = group }
        return defaults
    }

    /// Gives an operation what it does not have.
    func apply(to operation: CKOperation) {
        if operation.group == nil { operation.group = group }
        if operation.inheritedConfiguration == nil {
            operation.inheritedConfiguration = configuration
        }
    }
}
