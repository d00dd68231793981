import CloudKit
import CoreData

/// CloudKit's change tokens as bytes.
enum ChangeTokenArchive {
    /// The token that some bytes encode.
    ///
    /// - Throws: `changeTokenExpired` if they do not encode a token.
    static func token(_ data: Data?) throws -> CKServerChangeToken? {
        guard let data else { return nil }
        let root = ArchiveDecoding.root(of: [CKServerChangeToken.self], in: data)
        guard let token = root as? CKServerChangeToken else {
            StoreLog.error("A change token is damaged")
            throw CKError(.changeTokenExpired)
        }
        return token
    }

    /// The bytes of a token. If it equals the previous token, the bytes are the same as before,
    /// because two archives of one object may differ.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - previous: The previous token and its bytes.
    static func data(
        _ token: CKServerChangeToken, after previous: (token: CKServerChangeToken?, data: Data?)
    ) throws -> Data {
        if token == previous.token, let data = previous.data { return data }
        return try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
    }
}
