import CloudKitService
import SeamSQLite

/// A reference that the server must track: a `deleteSelf` reference, a validated one, or the
/// parent.
struct RecordLink: Hashable {
    enum Kind: Int64 {
        case deleteSelf = 1
        case validate = 2
    }

    var kind: Kind
    var target: String

    static func links(
        of fields: [String: RecordFieldDictionary], parent: String?
    ) -> Set<RecordLink> {
        var links: Set<RecordLink> = []
        for field in fields.values {
            for reference in field.value?.references ?? [] {
                switch reference.action {
                case .deleteSelf:
                    links.insert(RecordLink(kind: .deleteSelf, target: reference.recordName))
                case .validate:
                    links.insert(RecordLink(kind: .validate, target: reference.recordName))
                case ReferenceDictionary.Action.none?, nil:
                    break
                }
            }
        }
        if let parent { links.insert(RecordLink(kind: .validate, target: parent)) }
        return links
    }
}

extension FieldValue {
    /// Whether saving the value affects more than its own record.
    var needsBookkeeping: Bool { !references.isEmpty || !assets.isEmpty }

}

extension RequestSession {
    /// Replaces the links of a record.
    func replaceLinks(
        of record: StoredRecord, with links: Set<RecordLink>, in zone: Zone
    ) throws {
        if record.hasLinks {
            try connection.execute(
                "DELETE FROM record_reference WHERE zone_id = ? AND source = ?",
                [.integer(zone.id), .text(record.name)])
        }
        for link in links {
            try connection.execute(
                """
                INSERT INTO record_reference (zone_id, target, kind, source)
                VALUES (?, ?, ?, ?)
                """,
                [
                    .integer(zone.id), .text(link.target), .integer(link.kind.rawValue),
                    .text(record.name),
                ])
            if link.kind == .deleteSelf { try checkFanIn(of: link.target, in: zone) }
        }
    }

    private func checkFanIn(of target: String, in zone: Zone) throws {
        let count =
            try connection.firstRow(
                """
                SELECT count(*) FROM record_reference
                WHERE zone_id = ? AND target = ? AND kind = ?
                """,
                [.integer(zone.id), .text(target), .integer(RecordLink.Kind.deleteSelf.rawValue)]
            ) { $0.integer(at: 0) } ?? 0
        guard count <= options.maximumDeletingReferences else {
            throw ItemFailure(
                .limitExceeded,
                "More than \(options.maximumDeletingReferences) references to '\(target)'")
        }
    }

    /// The records that refer to a record.
    func sources(
        of target: String, kind: RecordLink.Kind, in zone: Zone
    ) throws -> [String] {
        try connection.rows(
            """
            SELECT source FROM record_reference WHERE zone_id = ? AND target = ? AND kind = ?
            """, [.integer(zone.id), .text(target), .integer(kind.rawValue)]
        ) { $0.text(at: 0) }
    }

    /// A required record that is missing.
    func missingTarget(of record: StoredRecord, in zone: Zone) throws -> String? {
        let strict = options.validatesDeletingReferences
        return try connection.firstRow(
            """
            SELECT target FROM record_reference AS link
            WHERE zone_id = ?1 AND source = ?2 AND (kind = 2 OR ?3)
                AND NOT EXISTS (
                    SELECT 1 FROM record
                    WHERE zone_id = ?1 AND name = link.target AND fields IS NOT NULL)
            LIMIT 1
            """, [.integer(zone.id), .text(record.name), .integer(strict ? 1 : 0)]
        ) { $0.text(at: 0) }
    }
}
