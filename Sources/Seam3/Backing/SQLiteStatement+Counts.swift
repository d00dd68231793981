extension SQLiteStatement {
    /// How often something has happened, between 0 and a million. Whatever a damaged file has, one can be added to it.
    func count(at column: Int) -> Int {
        Int(clamping: min(max(integer(at: column), 0), 1_000_000))
    }
}
