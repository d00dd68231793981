import CloudKit
import CoreData

/// CloudKit's change tokens as bytes.
enum ChangeTokenArchive {
    /// The token of some bytes.
    ///
    /// - Throws: `changeTokenExpired` if they are no token.
    static func token(_ data: Data?) throws -> CKServerChangeToken? {
        guard let data else { return nil }
        let token = try? NSKeyedUnarchiver.unarchivedObject(
            ofClass: CKServerChangeToken.self, from: data)
        guard let token else {
            StoreLog.error("A change token is damaged")
            throw CKError(.changeTokenExpired)
        }
        return token
    }

    /// The bytes of a token: the same again for one that equals the token before, because two archives
    /// of one object need not be the same.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - previous: The token before, with its bytes.
    static func data(
        _ token: CKServerChangeToken, after previous: (token: CKServerChangeToken?, data: Data?)
    ) throws -> Data {
        if token == previous.token, let data = previous.data { return data }
        return try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
    }
}
