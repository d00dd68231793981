import CoreData

extension String {
    /// The condition that this column contains the name of one of an enum's cases.
    ///
    /// Written as comparisons, because for a longer `IN` list SQLite builds a table each time it
    /// writes a row.
    func sqlIsCase<Name: CaseIterable & RawRepresentable<String>>(of type: Name.Type) -> String {
        type.allCases.map { "\(self) = '\($0.rawValue)'" }.joined(separator: " OR ")
    }
}
