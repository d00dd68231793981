import Foundation

/// The contents of a record's field `SM_edits`, read by the description of the format alone.
struct RecordStamps: Hashable {
    /// A version of a record.
    struct Version: Hashable {
        var chain: UInt64
        var number: UInt64
    }

    /// The last save of a file.
    struct Save: Hashable {
        var token: UInt64
        var version: UInt64
    }

    /// What a record says about one field.
    struct Stamp: Hashable {
        /// The version in which a user last edited the field; 0 if none did.
        var edit: UInt64
        /// The digest of the value that was written last; nil if there is none.
        var digest: UInt32?
    }

    /// The name of the field.
    static let field = "SM_edits"
    static let versionLimit: UInt64 = 1 << 62
    static let mostSaves = 16

    var version: Version
    var origin: Version?
    /// By file.
    var saves: [UInt32: Save] = [:]
    /// By the key of the field's name.
    var stamps: [UInt32: Stamp] = [:]

    private static let lock = NSLock()
    // Guarded by the lock.
    nonisolated(unsafe) private static var keys: [String: UInt32] = [:]

    /// The first four bytes of the digest of a field's name, as a number that begins with the first one.
    static func key(of field: String) -> UInt32 {
        lock.withLock {
            if let key = keys[field] { return key }
            let bytes = SecureHash.digest(Array(field.utf8)).prefix(4)
            let key = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            keys[field] = key
            return key
        }
    }
}

extension RecordStamps {
    /// - Returns: nil if the bytes are not in the form in which they have to be written.
    init?(_ data: Data) {
        var bytes = Bytes(rest: data[...])
        guard let format = bytes.number(1), format & 0x7F == 1, let chain = bytes.number(8),
            let number = bytes.variable(), number >= 1, number < Self.versionLimit
        else { return nil }
        version = Version(chain: chain, number: number)
        if format & 0x80 != 0 {
            guard let chain = bytes.number(8), let origin = bytes.variable(), origin >= 1,
                origin < number
            else { return nil }
            self.origin = Version(chain: chain, number: origin)
        }
        guard let count = bytes.number(1), count <= Self.mostSaves else { return nil }
        for _ in 0..<count {
            guard let file = bytes.number(4), let token = bytes.number(8),
                let age = bytes.variable(), age < number
            else { return nil }
            let save = Save(token: token, version: number - age)
            guard saves.updateValue(save, forKey: UInt32(file)) == nil else { return nil }
        }
        var last: UInt32?
        while !bytes.rest.isEmpty {
            guard let key = bytes.number(4).map({ UInt32($0) }), last.map({ $0 < key }) ?? true,
                let age = bytes.variable(), age >> 1 <= number
            else { return nil }
            var stamp = Stamp(edit: number - age >> 1)
            if age & 1 == 1 {
                guard let digest = bytes.number(4) else { return nil }
                stamp.digest = UInt32(digest)
            }
            stamps[key] = stamp
            last = key
        }
    }

    /// Reads numbers from the beginning of bytes.
    private struct Bytes {
        var rest: Data.SubSequence

        mutating func number(_ count: Int) -> UInt64? {
            guard rest.count >= count else { return nil }
            let number = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(count)
            return number
        }

        /// A number of at most 63 bits, in as few bytes as possible.
        mutating func variable() -> UInt64? {
            var number: UInt64 = 0
            for place in 0..<9 {
                guard let byte = rest.popFirst() else { return nil }
                number |= UInt64(byte & 0x7F) << UInt64(7 * place)
                if byte & 0x80 == 0 { return byte == 0 && place > 0 ? nil : number }
            }
            return nil
        }
    }
}
