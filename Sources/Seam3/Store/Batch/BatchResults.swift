import CoreData

/// The store's answer to a batch insertion.
final class BatchInsertResult: NSBatchInsertResult {
    private let value: Any
    private let type: NSBatchInsertRequestResultType

    init(_ value: Any, _ type: NSBatchInsertRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    override var result: Any? { value }
    override var resultType: NSBatchInsertRequestResultType { type }
}

/// The store's answer to a batch update.
final class BatchUpdateResult: NSBatchUpdateResult {
    private let value: Any
    private let type: NSBatchUpdateRequestResultType

    init(_ value: Any, _ type: NSBatchUpdateRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    override var result: Any? { value }
    override var resultType: NSBatchUpdateRequestResultType { type }
}

/// The store's answer to a batch deletion.
final class BatchDeleteResult: NSBatchDeleteResult {
    private let value: Any
    private let type: NSBatchDeleteRequestResultType

    init(_ value: Any, _ type: NSBatchDeleteRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    override var result: Any? { value }
    override var resultType: NSBatchDeleteRequestResultType { type }
}
