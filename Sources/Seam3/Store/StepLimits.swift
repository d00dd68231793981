import CoreData

/// How much a store does at once, so that nobody waits long for it.
struct StepLimits {
    /// How many of the server's changes, or answers, one transaction takes: at least the first number, and more as long as
    /// nobody else in the process waits to write. Other processes cannot be seen, so there is a last number, too.
    var transaction = 8...200
    /// How many objects a context merges before its queue does what else is waiting.
    var merge = 100

    /// Store option for tests: the limit of everything.
    static let option = "Seam3StepLimit"

    init(options: [AnyHashable: Any]?) {
        guard let limit = (options?[Self.option] as? NSNumber)?.intValue, limit > 0 else { return }
        transaction = limit...limit
        merge = limit
    }
}
