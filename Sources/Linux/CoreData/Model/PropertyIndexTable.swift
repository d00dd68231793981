/// The indexes of an entity's properties by name.
///
/// Every access to a value by its key looks up an index. A table that hashes a few bytes of the key
/// with a multiplication is several times as fast as a dictionary, whose hash function must
/// withstand keys chosen by an attacker; these come from a model. A class, because copying a
/// structure would retain each of its parts for every access.
final class PropertyIndexTable: Sendable {
    private static let empty: Int32 = -1

    private let names: [String]
    /// The index of a name, in the first free slot at or after its hash.
    private let slots: [Int32]
    private let mask: Int

    /// Creates a table of names, whose indexes are their positions.
    init(_ names: [String]) {
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        let mask = capacity - 1
        var slots = [Int32](repeating: Self.empty, count: capacity)
        for (index, name) in names.enumerated() {
            var slot = Self.hash(name) & mask
            while slots[slot] != Self.empty { slot = (slot + 1) & mask }
            slots[slot] = Int32(index)
        }
        self.names = names
        self.slots = slots
        self.mask = mask
    }

    /// The index of a name, or nil if no property has it.
    subscript(name: String) -> Int? {
        var slot = Self.hash(name) & mask
        while slots[slot] != Self.empty {
            let index = Int(slots[slot])
            if names[index] == name { return index }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Hashes the length, and the first and the last eight bytes.
    private static func hash(_ name: String) -> Int {
        name.utf8.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
            ?? Array(name.utf8).withUnsafeBytes(hash)
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var word = UInt64(bytes.count)
        if bytes.count >= 8 {
            word ^= bytes.loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
            word ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for byte in bytes { word = word << 8 ^ UInt64(byte) }
        }
        word &*= 0xFF51_AFD7_ED55_8CCD
        return Int(truncatingIfNeeded: word >> 32)
    }
}
