import CoreData

/// What the engine tells its store.
protocol SyncEngineDelegate: AnyObject {
    /// Whether passes begin without being asked for: after saves, and when the time has come to try again.
    var beginsPassesByItself: Bool { get }
    /// A pass begins.
    func syncEngineDidStart()
    /// A transaction with the server's changes was committed.
    ///
    /// - Returns: The changed objects' IDs by kind.
    func syncEngine(didCommit changes: StoreChanges) async -> ChangedObjectIDs
    /// Something went wrong that does not end the pass.
    func syncEngineDidMeet(_ error: SMStoreError)
    /// A pass has ended.
    func syncEngineDidFinish(_ result: Result<SMSyncSummary, any Error>)
}
