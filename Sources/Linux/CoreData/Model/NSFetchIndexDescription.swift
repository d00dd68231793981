import FoundationGaps

/// An index that a store creates to answer fetches faster.
open class NSFetchIndexDescription: NSObject, NSCopying {
    @Light var owner: NSEntityDescription?

    /// The index's name, unique within its entity.
    open var name: String {
        willSet { owner?.requireEditable() }
    }

    /// The columns of the index, in order.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { owner?.requireEditable() }
        didSet { adoptElements() }
    }

    /// The condition for the rows in the index.
    open var partialIndexPredicate: NSPredicate? {
        willSet { owner?.requireEditable() }
    }

    /// The entity that the index belongs to.
    public final var entity: NSEntityDescription? { owner }

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - name: A name unique within the entity.
    ///   - elements: The columns of the index, in order.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    private func adoptElements() {
        for element in elements { element.owner = self }
    }

    /// An independent index with copies of the elements, which belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copies = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
        let copy = NSFetchIndexDescription(name: name, elements: copies)
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }
}
