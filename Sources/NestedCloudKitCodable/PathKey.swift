/// A key for an index in a list, or for a name that is not among a type's coding keys.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        self.init(index: intValue)
    }

    /// The key under which a class's superclass codes itself.
    static let superclass = PathKey("super")
}
