import CoreData

/// A many-to-many relationship: its two ends share one link table and one link record type. A
/// to-many relationship without an inverse is stored in the same way, and is never sent.
///
/// Table columns: `pk` (the link's row in ``ObjectTable``), `source`, `target`, `source_order` and
/// `target_order` (order keys of the target within the source's set and the reverse). A
/// relationship that is its own inverse stores both directions; only the row whose source has the
/// smaller record name has a record.
final class LinkSchema {
    /// An end that was to-one in a former model.
    struct FormerReference {
        /// The present name of the to-many relationship. In base values it stands for the field.
        let name: String
        /// The field of its object's record in which devices with the former model store the destination.
        let field: String
        /// Whether the object is the source of its links.
        let isSource: Bool
        /// The number of the field's edit stamp.
        let stampKey: UInt32

        init(name: String, field: String, isSource: Bool) {
            (self.name, self.field, self.isSource) = (name, field, isSource)
            stampKey = EditStamps.key(ofField: field)
        }
    }

    /// `SM_Link_<Entity>_<relationship>` of the end that sorts first.
    let recordType: String
    let number: Int64
    /// The table's name, unquoted.
    let table: String
    let source: NSRelationshipDescription
    /// The other end; nil for a relationship without an inverse.
    let target: NSRelationshipDescription?
    let sourceEntity: String
    let targetEntity: String

    /// Whether the relationship is its own inverse.
    let isReflexive: Bool
    /// The references in which devices with a former model store pairs.
    let formerReferences: [FormerReference]

    init(
        _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription?,
        assignedNames: inout AssignedNames
    ) {
        let first = assignedNames.path(of: relationship)
        let second = inverse.map { assignedNames.path(of: $0) } ?? first
        let isSource = first <= second
        source = isSource ? relationship : inverse ?? relationship
        target = isSource ? inverse : relationship
        isReflexive = inverse.map(Self.name) == Self.name(relationship)
        recordType =
            "SM_Link_" + (isSource ? first : second).replacingOccurrences(of: ".", with: "_")
        sourceEntity = source.entity.name ?? ""
        targetEntity = (target?.entity ?? relationship.destinationEntity)?.name ?? ""
        number = assignedNames.number(ofEntity: recordType)
        table = assignedNames.linkTable(recordType)
        let ends = [(source, true)] + (isReflexive ? [] : target.map { [($0, false)] } ?? [])
        formerReferences = ends.flatMap { [assignedNames] end, isSource in
            assignedNames.formerFields(of: end.name, in: end.entity).map {
                FormerReference(name: end.name, field: $0.name, isSource: isSource)
            }
        }
    }

    /// The former references that may have a pair, each with the end that has it, and the other one.
    func formerReferences<End>(
        of source: End, _ target: End
    ) -> [(reference: FormerReference, own: End, other: End)] {
        formerReferences.flatMap { reference in
            let isSource = reference.isSource
            let first = (reference, isSource ? source : target, isSource ? target : source)
            return isReflexive ? [first, (reference, target, source)] : [first]
        }
    }

    /// Whether the members of an end have an order.
    func isOrdered(seenFromSource: Bool) -> Bool {
        (seenFromSource || isReflexive ? source : target)?.isOrdered == true
    }

    func isSource(_ relationship: NSRelationshipDescription) -> Bool {
        Self.name(relationship) == Self.name(source)
    }

    private static func name(_ relationship: NSRelationshipDescription) -> String {
        relationship.entity.qualifiedName(of: relationship.name)
    }
}
