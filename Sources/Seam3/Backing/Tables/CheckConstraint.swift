import CoreData

extension String {
    /// The condition that the column of this name holds the name of an enum's case.
    ///
    /// Comparisons, because SQLite makes a table of a longer list for `IN` each time it writes a row.
    func sqlIsCase<Name: CaseIterable & RawRepresentable<String>>(of type: Name.Type) -> String {
        type.allCases.map { "\(self) = '\($0.rawValue)'" }.joined(separator: " OR ")
    }
}
