import CoreData

/// Which SQL statements stores log to ``SMStore/logger``.
public enum SMSQLTrace: Int, Sendable {
    /// Nothing.
    case off = 0
    /// The text of each statement, its duration and its number of rows. The text contains names of the model
    /// and never a user's value.
    case statements = 1
    /// The same with the values, for debugging with data that is not confidential.
    case statementsAndValues = 3

    /// The level that the launch argument `-com.apple.CoreData.SQLDebug` selects, as for Core Data's own
    /// store: 1 and 2 for statements, 3 and more for values as well.
    static var standard: SMSQLTrace {
        switch UserDefaults.standard.integer(forKey: "com.apple.CoreData.SQLDebug") {
        case ..<1: return .off
        case 1...2: return .statements
        default: return .statementsAndValues
        }
    }
}
