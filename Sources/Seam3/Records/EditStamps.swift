import CoreData

/// What a record says about its edits: the contents of its field `SM_edits`.
///
/// Saves are conditional, so the versions of a record form a chain: each save writes the number of the version that it was
/// based on, plus one. Numbers of two chains cannot be compared.
struct EditStamps: Equatable {
    /// Who edited a field last, and what was written there last.
    struct Stamp: Equatable {
        /// The number of the version with the last edit by a user; 0 if no user has edited the field.
        var edit: UInt64
        /// The digest of the value that was written last by anybody who writes stamps; nil for an encrypted value.
        var digest: UInt32?

        /// The stamp of a field that a record lacks from the beginning.
        static let unset = Stamp(edit: 0, digest: nil)
    }

    /// The last save of a file. The file recognizes it even if the response was lost.
    struct Save: Equatable {
        /// The random number of the file.
        var file: UInt32
        /// The random number of the request.
        var token: UInt64
        /// The number of the version that it saved.
        var version: UInt64
    }

    /// The version that a chain continues, from another incarnation of the record.
    struct Origin: Equatable {
        var chain: UInt64
        var version: UInt64
    }

    /// The field of a record that contains the stamps.
    static let field = SMRecordEdits.field
    /// How many files' saves are remembered. If there are more, the one with the smallest version is forgotten.
    static let mostSaves = 16
    /// The largest number of a version. What follows it would not fit into the encoded form.
    static let lastVersion: UInt64 = 1 << 62 - 1

    /// The random number of the request that inserted the record.
    var chain: UInt64
    /// The number of the record's version, from 1.
    var version: UInt64
    var origin: Origin?
    private(set) var saves: [Save] = []
    /// The stamps of fields, by ``key(ofField:)``.
    var stamps: [UInt32: Stamp] = [:]

    init(chain: UInt64, version: UInt64) {
        self.chain = chain
        self.version = version
    }

    /// Notes a save of the present version; a former save of the same file is forgotten.
    mutating func note(_ save: Save) {
        saves.removeAll { $0.file == save.file }
        saves.append(save)
        guard saves.count > Self.mostSaves,
            let oldest = saves.indices.min(by: { saves[$0].version < saves[$1].version })
        else { return }
        saves.remove(at: oldest)
    }

    /// The number of the version that a request saved; nil if it has saved none, as far as the record tells.
    func version(savedBy request: SentRequest) -> UInt64? {
        request.token.flatMap { token in saves.first { $0.token == token }?.version }
    }

    /// The number of the last version that two versions of a record have in common, if both continue the chain of one; nil
    /// if they have none.
    func commonVersion(with other: EditStamps) -> UInt64? {
        var common: UInt64?
        for own in lineage {
            for other in other.lineage where other.chain == own.chain {
                common = max(common ?? 0, min(own.version, other.version))
            }
        }
        return common
    }

    /// This version, and the one that its chain continues.
    private var lineage: [Origin] {
        [Origin(chain: chain, version: version)] + (origin.map { [$0] } ?? [])
    }

    /// Whether this version is from before a known one of the same chain.
    func isBefore(_ known: EditStamps) -> Bool {
        chain == known.chain && version < known.version
    }

    /// The random number of the file that has probably saved the last edit of a field; nil if nobody has edited it, or
    /// the record no longer tells.
    func fileOfLastEdit(_ key: UInt32) -> UInt32? {
        guard let edit = stamps[key]?.edit, edit > 0 else { return nil }
        return saves.filter { $0.version >= edit }.min { $0.version < $1.version }?.file
    }

    /// The approximate size in bytes of the stamps of a record that a few files save.
    static func byteCount(fieldCount: Int) -> Int { 64 + 10 * fieldCount }

    /// The number under which a field's stamp is stored: the first four bytes of the SHA-256 of its name.
    ///
    /// Two fields of one record may have the same number. They then share a stamp, so that at worst an edit of the one
    /// is taken for an edit of the other.
    static func key(ofField name: String) -> UInt32 {
        SHA256.digest(Data(name.utf8)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

// MARK: - Encoded form

extension EditStamps {
    private static let format: UInt8 = 1
    private static let hasOrigin: UInt8 = 0x80

    /// The contents of the field.
    var encoded: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + 16 * saves.count + 10 * stamps.count)
        bytes.append(Self.format | (origin == nil ? 0 : Self.hasOrigin))
        bytes.append(number: chain)
        bytes.append(variable: version)
        if let origin {
            bytes.append(number: origin.chain)
            bytes.append(variable: origin.version)
        }
        bytes.append(UInt8(saves.count))
        for save in saves {
            bytes.append(number: save.file)
            bytes.append(number: save.token)
            bytes.append(variable: version - save.version)
        }
        for (field, stamp) in stamps.sorted(by: { $0.key < $1.key }) {
            bytes.append(number: field)
            bytes.append(variable: (version - stamp.edit) << 1 | (stamp.digest == nil ? 0 : 1))
            if let digest = stamp.digest { bytes.append(number: digest) }
        }
        return Data(bytes)
    }

    /// Reads the contents of the field.
    ///
    /// - Returns: nil if they are damaged or of another format. The record then counts as one without stamps.
    init?(_ data: Data) {
        guard let stamps = data.withUnsafeBytes({ bytes in Self.read(ByteReader(bytes)) }) else {
            return nil
        }
        self = stamps
    }

    private static func read(_ reader: ByteReader) -> EditStamps? {
        var reader = reader
        guard let head = reader.byte(), head & ~hasOrigin == format,
            let chain: UInt64 = reader.number(), let version = reader.version()
        else { return nil }
        var result = EditStamps(chain: chain, version: version)
        if head & hasOrigin != 0 {
            guard let chain: UInt64 = reader.number(), let version = reader.version() else {
                return nil
            }
            result.origin = Origin(chain: chain, version: version)
        }
        guard let count = reader.byte(), count <= mostSaves else { return nil }
        for _ in 0..<count {
            guard let file: UInt32 = reader.number(), let token: UInt64 = reader.number(),
                let age = reader.variable(), age < version,
                !result.saves.contains(where: { $0.file == file })
            else { return nil }
            result.saves.append(Save(file: file, token: token, version: version - age))
        }
        var last: UInt32?
        while !reader.isAtEnd {
            guard let field: UInt32 = reader.number(), last.map({ $0 < field }) ?? true,
                let word = reader.variable(), word >> 1 <= version
            else { return nil }
            last = field
            var digest: UInt32?
            if word & 1 != 0 {
                guard let number: UInt32 = reader.number() else { return nil }
                digest = number
            }
            result.stamps[field] = Stamp(edit: version - word >> 1, digest: digest)
        }
        return result
    }
}
