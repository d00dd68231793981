import CoreData

/// Receives the engine's messages; implemented by the store.
protocol SyncEngineDelegate: AnyObject {
    /// Whether passes begin automatically, after saves and when a retry is due.
    var beginsPassesByItself: Bool { get }
    /// A pass begins.
    func syncEngineDidStart()
    /// A transaction with the server's changes was committed.
    ///
    /// - Returns: The changed objects' IDs by kind.
    func syncEngine(didCommit changes: StoreChanges) async -> SMSyncSummary
    /// Something failed that does not end the pass.
    func syncEngineDidMeet(_ error: SMStoreError)
    /// A pass has ended.
    func syncEngineDidFinish(_ result: Result<SMSyncSummary, any Error>)
}
