import FoundationGaps

extension ModelElement {
    /// A predicate in the predicate language; nil if there is none.
    func predicate(_ attribute: String) throws -> NSPredicate? {
        guard let text = text(attribute), !text.isEmpty else { return nil }
        do {
            return try NSPredicate._parsing(text)
        } catch {
            throw failure("\(error)", attribute: attribute)
        }
    }

    /// An expression in the predicate language; nil if there is none.
    func expression(_ attribute: String) throws -> NSExpression? {
        guard let text = text(attribute), !text.isEmpty else { return nil }
        do {
            return try NSExpression._parsing(text)
        } catch {
            throw failure("\(error)", attribute: attribute)
        }
    }
}
