import FoundationGaps

/// Logs problems in a model file that do not prevent the use of the model.
enum ModelFileLog {
    /// Receives the messages; by default they go to standard error. A test sets its own for its
    /// task.
    @TaskLocal static var receiver: @Sendable (ManagedObjectModelFileError) -> Void = { note in
        FileHandle.standardError.write(Data("CoreData: warning: \(note)\n".utf8))
    }

    static func write(_ note: ManagedObjectModelFileError) {
        receiver(note)
    }
}
