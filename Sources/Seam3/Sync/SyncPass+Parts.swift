/// Doing much in several short transactions.
extension SyncPass {
    /// Takes a step for each element, in several transactions if there are many elements or others wait to write.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - step: Takes the step.
    ///   - finish: Runs at the end of each transaction.
    func inParts<Element>(
        _ elements: [Element], _ step: (Element) throws -> Void, finish: () throws -> Void = {}
    ) throws {
        var rest = elements[...]
        while !rest.isEmpty {
            let count = try transaction {
                let count = try takePart(of: rest, step)
                try finish()
                return count
            }
            rest.removeFirst(count)
        }
    }

    /// Takes a step for each of the first elements, as many as the present transaction takes.
    ///
    /// - Returns: How many these are.
    func takePart<Element>(
        of elements: ArraySlice<Element>, _ step: (Element) throws -> Void
    ) rethrows -> Int {
        var count = 0
        for element in elements {
            if isOver(after: count) { break }
            try step(element)
            count += 1
        }
        return count
    }

    /// Whether a transaction that has taken a number of steps is committed before it takes another.
    private func isOver(after count: Int) -> Bool {
        count >= limits.transaction.upperBound
            || count >= limits.transaction.lowerBound && database.connection.isAwaited
    }
}
