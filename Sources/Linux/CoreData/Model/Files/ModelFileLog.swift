import FoundationGaps

/// Logs what is odd in a model file and does not prevent the use of the model.
enum ModelFileLog {
    /// Where a line goes; to standard error by default. A test sets its own for its task.
    @TaskLocal static var receiver: @Sendable (ManagedObjectModelFileError) -> Void = { note in
        FileHandle.standardError.write(Data("CoreData: warning: \(note)\n".utf8))
    }

    static func write(_ note: ManagedObjectModelFileError) {
        receiver(note)
    }
}
