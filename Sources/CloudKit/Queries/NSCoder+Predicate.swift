extension NSCoder {
    /// Encodes a predicate as its format, which is the only form of it that can be archived.
    func encode(predicate: NSPredicate, forKey key: String) {
        encode(predicate.predicateFormat, forKey: key)
    }

    /// Decodes a predicate that was encoded as its format.
    func decodePredicate(forKey key: String) -> NSPredicate? {
        nil
    }
}
