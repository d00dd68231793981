import CloudKit
import CoreData

/// What happens to an object that was changed here and on the server since they last agreed.
///
/// The value of ``SMStore/SMStoreSyncConflictResolutionPolicyOption``, as the enum or its number, and
/// of ``SMStore/SMSyncConflictResolutionPolicyUserInfoKey`` in a model, as its name or its number.
public enum SMSyncConflictResolutionPolicy: Int16, CaseIterable, Sendable {
    /// ``SMStore/recordConflictResolutionBlock`` decides. An edit wins over a deletion.
    case clientTellsWhichWins = 0
    /// The server's record replaces the local one; a deletion on the server wins over an edit. The
    /// default.
    case serverRecordWins = 1
    /// The local object replaces the server's record; a local deletion wins over an edit.
    case clientRecordWins = 2
    /// The server's record replaces the local object, which lives on as a new object. An edit wins
    /// over a deletion.
    case keepBoth = 3
    /// Each property goes by who changed it; where both did, the server's value wins. An edit wins
    /// over a deletion.
    case mergeByProperty = 4
    /// Each property goes by who changed it; where both did, the local value wins. An edit wins over
    /// a deletion.
    case mergeByPropertyClientWins = 5
    /// Each property goes by who changed it; where both did, ``SMStore/recordConflictResolutionBlock``
    /// decides: of the record that it returns only these properties count. An edit wins over a
    /// deletion.
    case mergeByPropertyClientTells = 6

    /// Reads the value of the store option or of the model: the enum, its number in any form, or its
    /// name.
    init?(option: Any?) {
        switch option {
        case let policy as SMSyncConflictResolutionPolicy:
            self = policy
        case let number as NSNumber:
            self.init(rawValue: number.int16Value)
        case let number as Int:
            self.init(rawValue: Int16(clamping: number))
        case let number as Int16:
            self.init(rawValue: number)
        case let text as String:
            let named = Self.allCases.first { "\($0)" == text }
            guard let policy = named ?? Int16(text).flatMap(Self.init(rawValue:)) else {
                return nil
            }
            self = policy
        default:
            return nil
        }
    }

    /// What could be given instead of something that is not a policy.
    static func advice(on option: Any) -> String {
        let names = allCases.map { "\($0)" }
        let allowed =
            " It can be \(names.joined(separator: ", ")), or a number from 0 to \(names.count - 1)."
        guard let name = option as? String else { return allowed }
        return allowed + NearestName.question(name, among: names)
    }
}
