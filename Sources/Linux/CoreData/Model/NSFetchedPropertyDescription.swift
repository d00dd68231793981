import FoundationGaps

/// A property whose value is the result of a fetch.
///
/// The request's predicate may use the variables `$FETCH_SOURCE`, for the object, and
/// `$FETCHED_PROPERTY`, for this description.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// The request whose results are the value.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        willSet { requireEditable() }
    }

    /// Creates a fetched property without a request. It is transient, because stores store no
    /// value.
    public override init() {
        super.init()
        isTransient = true
    }

    override func emptyCopy() -> NSPropertyDescription {
        NSFetchedPropertyDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        let request = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        (copy as? NSFetchedPropertyDescription)?.fetchRequest = request
    }
}
