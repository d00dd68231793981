/// What a predicate is, whichever class carries it.
///
/// Linux-only. Foundation's `NSCompoundPredicate` and `NSPredicate` cannot compare, copy or print
/// themselves here, so everything that must look into a predicate goes through this.
public enum _PredicateNode {
    /// A predicate that is always true or always false.
    case constant(Bool)
    /// A comparison.
    case comparison(NSComparisonPredicate)
    /// Predicates joined by AND or OR, or one negated by NOT.
    case compound(NSCompoundPredicate.LogicalType, [NSPredicate])
    /// A Swift closure.
    case block(NSPredicate)
    /// A class of the app's own.
    case unknown(NSPredicate)

    /// Looks into a predicate.
    public init(_ predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            self = .comparison(comparison)
        case let compound as NSCompoundPredicate:
            self = .compound(compound.compoundPredicateType, compound.subpredicates)
        case _ where type(of: predicate) != NSPredicate.self:
            self = .unknown(predicate)
        case _ where predicate.isEqual(NSPredicate(value: true)):
            self = .constant(true)
        case _ where predicate.isEqual(NSPredicate(value: false)):
            self = .constant(false)
        default:
            self = .block(predicate)
        }
    }
}

/// Linux-only: what Foundation's predicates do wrongly here, done by structure.
extension NSPredicate {
    /// The predicate as format text that parses back to an equal predicate, unless it holds blocks or
    /// objects.
    public final var _structuralFormat: String { PredicatePrinter.text(of: self) }

    /// Whether two predicates consist of the same parts.
    public final func _isStructurallyEqual(to other: NSPredicate) -> Bool {
        StructuralComparison.areEqual(self, other)
    }

    /// A hash value that structurally equal predicates share.
    public final var _structuralHash: Int {
        var hasher = Hasher()
        StructuralComparison.hash(self, into: &hasher)
        return hasher.finalize()
    }

    /// A copy whose compound predicates compare, copy and print themselves. Comparisons, blocks and
    /// predicates of unknown classes are shared, as they do not change.
    public final func _structuralCopy() -> NSPredicate {
        guard case .compound(let type, let subpredicates) = _PredicateNode(self) else {
            return self
        }
        return StructuralCompoundPredicate(
            type: type, subpredicates: subpredicates.map { $0._structuralCopy() })
    }
}
