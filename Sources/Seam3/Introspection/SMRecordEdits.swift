import CoreData

/// What a record says about its edits: in which of its versions a user last edited each field, and which files saved it
/// last. These are the contents of the field `SM_edits`, which each save writes.
///
///     func showEdits(of record: CKRecord) {
///         guard let data = record[SMRecordEdits.field] as? Data,
///             let edits = SMRecordEdits(data, fields: record.allKeys())
///         else { return }
///         print(edits)  // version 7, saved by 9f3a21c0 (7), 4410be77 (5); edited: name (5), note (7)
///     }
///
/// It is meant for people who look at records.
public struct SMRecordEdits: Hashable, Sendable, CustomStringConvertible {
    /// A version of the record, and the file of the device that saved it.
    public struct Save: Hashable, Sendable {
        /// The random number of the store's file, as eight hexadecimal digits.
        public let file: String
        /// The number of the version, from 1.
        public let version: Int64
    }

    /// The name of the field.
    public static let field = "SM_edits"

    /// The number of the record's version, from 1. Each save adds one.
    public let version: Int64
    /// The last save of each file, the newest first; of 16 files at most.
    public let saves: [Save]
    /// The number of the version in which a user last edited a field. A field that no user has edited is absent.
    public let edits: [String: Int64]

    /// Reads the contents of the field `SM_edits`.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - fields: The names of the record's fields. The contents have only their digests, so a field that is not among
    ///     them is left out.
    /// - Returns: nil if the contents are damaged, or of a format that this version does not know.
    public init?(_ data: Data, fields: some Sequence<String>) {
        guard let stamps = EditStamps(data) else { return nil }
        version = Int64(stamps.version)
        saves = stamps.saves.sorted { $0.version > $1.version }.map { save in
            Save(
                file: withUnsafeBytes(of: save.file.bigEndian) { Data($0).hexadecimal },
                version: Int64(save.version))
        }
        var edits: [String: Int64] = [:]
        for field in fields {
            guard let stamp = stamps.stamps[EditStamps.key(ofField: field)], stamp.edit > 0 else {
                continue
            }
            edits[field] = Int64(stamp.edit)
        }
        self.edits = edits
    }

    /// The contents in one line.
    public var description: String {
        var text = "version \(version)"
        if !saves.isEmpty {
            text +=
                ", saved by " + saves.map { "\($0.file) (\($0.version))" }.joined(separator: ", ")
        }
        if !edits.isEmpty {
            let fields = edits.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
            text += "; edited: " + fields.joined(separator: ", ")
        }
        return text
    }
}
