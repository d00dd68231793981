/// A difference between two places.
enum Difference {
    /// The first difference between two snapshots; nil if there is none.
    ///
    /// Properties that only one of the models has are not compared.
    static func first(
        _ left: Snapshot, _ right: Snapshot, _ leftName: String, _ rightName: String,
        ignoring: Set<String> = [], ordersAreSets: Set<String> = []
    ) -> String? {
        let (mine, theirs) = (left.byIdent, right.byIdent)
        for ident in Set(mine.keys).union(theirs.keys).sorted() {
            let (first, second) = (mine[ident] ?? [], theirs[ident] ?? [])
            if first.count != second.count {
                return "\(ident) is there \(first.count) times \(leftName),"
                    + " \(second.count) times \(rightName)"
            }
            guard let one = first.first, let other = second.first else { continue }
            let names = Set(one.values.keys).intersection(other.values.keys)
                .subtracting(ignoring).sorted()
            if first.count == 1 {
                for name in names {
                    let values = [one, other].map { plain($0, name, ordersAreSets) }
                    if values[0] != values[1] {
                        return "\(ident).\(name) is \(values[0]) \(leftName),"
                            + " \(values[1]) \(rightName)"
                    }
                }
                continue
            }
            let texts = [first, second].map { copies in
                copies.map { copy in
                    names.map { "\($0)=\(plain(copy, $0, ordersAreSets))" }.joined(separator: " ")
                }.sorted()
            }
            if texts[0] != texts[1] {
                return "\(ident) is \(texts[0]) \(leftName), \(texts[1]) \(rightName)"
            }
        }
        return nil
    }

    private static func plain(
        _ object: Snapshot.Object, _ name: String, _ ordersAreSets: Set<String>
    ) -> Value {
        let value = object.values[name] ?? .none
        if case .ordered(let names) = value, ordersAreSets.contains(name) {
            return .objects(names.sorted())
        }
        return value
    }
}
