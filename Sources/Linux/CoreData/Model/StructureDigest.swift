import FoundationGaps

/// Digests a sequence of typed fields. Each field is preceded by its kind and its length, so that
/// different sequences cannot collide by concatenation.
///
/// The result is stable across processes and releases, because stores keep it.
struct StructureDigest {
    private var hash = SHA256()

    mutating func combine(_ text: String?) {
        guard let text else {
            hash.update([0])
            return
        }
        combine(1, Array(text.utf8))
    }

    mutating func combine(_ number: Int) {
        combine(2, Array(String(number).utf8))
    }

    mutating func combine(_ flag: Bool) {
        hash.update([3, flag ? 1 : 0])
    }

    mutating func combine(_ data: Data) {
        combine(4, Array(data))
    }

    func finalize() -> Data {
        hash.digest()
    }

    private mutating func combine(_ kind: UInt8, _ bytes: [UInt8]) {
        hash.update([kind])
        hash.update(String(bytes.count).utf8)
        hash.update([0x3a])
        hash.update(bytes)
    }
}
