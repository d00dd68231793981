import Foundation

extension SQLiteConnection {
    /// The measurements of one use of a statement; see ``SQLiteConnection/profile``.
    public struct StatementProfile {
        /// The statement's text, with parameters in place of values.
        public let sql: String
        /// The duration in seconds, including the processing of rows.
        public let duration: TimeInterval
        /// The number of rows.
        public let rowCount: Int
        /// The error that it threw; nil if it succeeded.
        public let error: (any Error)?
        private let statement: SQLiteStatement

        init(
            _ statement: SQLiteStatement, duration: TimeInterval, rowCount: Int,
            error: (any Error)?
        ) {
            sql = statement.sql
            self.statement = statement
            self.duration = duration
            self.rowCount = rowCount
            self.error = error
        }

        /// The statement's text with the values that were bound last. Use it only within the call
        /// of ``SQLiteConnection/profile``.
        public var sqlWithValues: String { statement.textWithValues }
    }

    func profiled<T>(
        _ statement: SQLiteStatement, _ profile: (StatementProfile) -> Void,
        _ body: (SQLiteStatement) throws -> T
    ) throws -> T {
        let start = DispatchTime.now().uptimeNanoseconds
        let rowsBefore = statement.rowCount
        func report(_ error: (any Error)?) {
            let duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            profile(
                StatementProfile(
                    statement, duration: duration, rowCount: statement.rowCount - rowsBefore,
                    error: error))
        }
        do {
            let result = try body(statement)
            report(nil)
            return result
        } catch {
            report(error)
            throw error
        }
    }
}
