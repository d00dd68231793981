import CoreData

/// The references in which devices with a former model store pairs.
///
/// They do not know the links. So whoever removes a pair also empties its reference: otherwise a device that gets
/// the model later would make the pair again.
extension LinkTable {
    /// A place where a pair may be stored as well.
    private struct Place {
        /// The object with the reference.
        let pk: Int64
        /// The record name of the other object.
        let destination: String
        let reference: LinkSchema.FormerReference
    }

    private func places(of row: LinkRow, _ link: LinkSchema) throws -> [Place] {
        try link.formerReferences(of: row.source, row.target).compactMap { reference, own, other in
            guard try database.objects.entry(own)?.isPresent == true,
                let destination = try database.objects.recordName(of: other)
            else { return nil }
            return Place(pk: own, destination: destination, reference: reference)
        }
    }

    /// Queues the removal of a link that is not here, as if it had been: another device may have made it of the
    /// reference.
    ///
    /// - Returns: Whether it is not here.
    func removeAbsent(_ row: LinkRow, _ link: LinkSchema) throws -> Bool {
        func key() throws -> Int64? {
            try self.key(of: link, source: row.source, target: row.target)
        }
        guard try key() == nil else { return false }
        try add(link, source: row.source, target: row.target, isSynced: true)
        guard let pk = try key() else { return false }
        try database.objects.setSent(true, pk)
        try remove(pk, link, isSynced: true)
        return true
    }

    /// Queues emptying the references of a pair that was removed.
    func emptyFormerReferences(of row: LinkRow, _ link: LinkSchema) throws {
        for place in try places(of: row, link) {
            let name = place.reference.name
            guard
                try database.objects.edits(of: place.pk)?
                    .refers(to: place.destination, place.reference) == true,
                try database.outbox.entry(of: place.pk)?.kind != .delete
            else { continue }
            try database.outbox.noteUpdate(
                place.pk, PropertyValues([name: .text(place.destination)]), .other)
        }
    }

    /// Leaves the references of a pair that is made again, unless they may have been emptied already.
    func keepFormerReferences(of row: LinkRow, _ link: LinkSchema) throws {
        for place in try places(of: row, link) {
            let name = place.reference.name
            guard let pending = try database.outbox.entry(of: place.pk), pending.kind == .update,
                pending.base[name] == .text(place.destination)
            else { continue }
            try database.outbox.noteUpdate(
                place.pk, PropertyValues([name: .text(place.destination)]), .other
            ) { _, _ in true }
        }
    }
}
