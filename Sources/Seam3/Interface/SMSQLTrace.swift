import CoreData

/// What the stores tell ``SMStore/logger`` of the SQL that they run.
public enum SMSQLTrace: Int, Sendable {
    /// Nothing.
    case off = 0
    /// The text of each statement, how long it took and how many rows it gave. Texts hold the names
    /// of the model and never a value of the user's.
    case statements = 1
    /// The same with the values in the texts, for debugging with data that nobody minds to see.
    case statementsAndValues = 3

    /// What the argument `-com.apple.CoreData.SQLDebug` of the process asks for, as it does for Core
    /// Data's own store: 1 and 2 for statements, 3 and more for values as well.
    static var standard: SMSQLTrace {
        switch UserDefaults.standard.integer(forKey: "com.apple.CoreData.SQLDebug") {
        case ..<1: return .off
        case 1...2: return .statements
        default: return .statementsAndValues
        }
    }
}
