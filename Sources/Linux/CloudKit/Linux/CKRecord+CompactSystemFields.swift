import CloudKitService

// Writing and reading a keyed archive of a record's system fields takes a hundred times as long,
// and the archive is more than twice as large. A store that keeps one for each record uses this
// form where it is available.

extension CKRecord {
    /// The system fields as bytes, for ``_record(systemFields:)``.
    ///
    /// They contain the same values as ``encodeSystemFields(with:)`` archives, and a checksum.
    public var _systemFields: Data { withState { $0.compactSystemFields } }

    /// Whether the bytes have the form that ``_record(systemFields:)`` reads. Those of a keyed
    /// archive do not.
    public static func _areSystemFields(_ data: Data) -> Bool {
        data.starts(with: State.compactMark)
    }

    /// Decodes the bytes of ``_systemFields``; nil if they are damaged.
    public static func _record(systemFields data: Data) -> CKRecord? {
        State(compactSystemFields: data).map { CKRecord(state: $0) }
    }
}

extension CKRecord.State {
    /// The first bytes, with the version of the form at the end. No property list begins with them.
    fileprivate static let compactMark: [UInt8] = [0xCF, 0x53, 0x46, 0x01]

    /// The mark, the checksum of everything that follows, and the fields in a fixed order.
    fileprivate var compactSystemFields: Data {
        var writer = CompactFieldWriter(after: Self.compactMark)
        writer.append(recordType)
        writer.append(recordID.recordName)
        writer.append(recordID.zoneID.zoneName)
        writer.append(recordID.zoneID.ownerName)
        writer.append(recordChangeTag)
        writer.append(creationDate)
        writer.append(modificationDate)
        writer.append(creatorUserRecordID?.recordName)
        writer.append(lastModifiedUserRecordID?.recordName)
        writer.append(parent?.recordID.recordName)
        writer.append(share?.recordID.recordName)
        return writer.data
    }

    fileprivate init?(compactSystemFields data: Data) {
        let state = data.withUnsafeBytes { bytes -> CKRecord.State? in
            guard var reader = CompactFieldReader(bytes, after: Self.compactMark) else {
                return nil
            }
            return CKRecord.State(&reader)
        }
        guard let state else { return nil }
        self = state
    }

    private init?(_ reader: inout CompactFieldReader) {
        guard let recordType = reader.text(), !recordType.isEmpty,
            let recordName = reader.text(), !recordName.isEmpty,
            let zoneName = reader.text(), !zoneName.isEmpty,
            let ownerName = reader.text()
        else { return nil }
        let zoneID = CKRecordZone.ID(received: zoneName, ownerName: ownerName)
        self.init(
            recordType: recordType, recordID: CKRecord.ID(received: recordName, zoneID: zoneID))
        recordChangeTag = reader.text()
        creationDate = reader.date()
        modificationDate = reader.date()
        creatorUserRecordID = reader.text().map { CKRecord.ID(received: $0) }
        lastModifiedUserRecordID = reader.text().map { CKRecord.ID(received: $0) }
        let related = [reader.text(), reader.text()].map { name in
            name.map {
                CKRecord.Reference(
                    recordID: CKRecord.ID(received: $0, zoneID: zoneID), action: .none)
            }
        }
        parent = related[0]
        share = related[1]
        guard reader.isAtEnd else { return nil }
    }
}

/// Writes fields, each with its length before it, 0 for none.
private struct CompactFieldWriter {
    private var bytes: [UInt8]
    /// The start of the fields, after the checksum.
    private let start: Int

    init(after mark: [UInt8]) {
        start = mark.count + 4
        bytes = mark
        bytes.reserveCapacity(160)
        bytes.append(contentsOf: repeatElement(0, count: 4))
    }

    mutating func append(_ text: String?) {
        guard var text else { return bytes.append(0) }
        // The owner of the zone and the users of the user's own records.
        if text == CKCurrentUserDefaultName { return bytes.append(1) }
        text.withUTF8 { content in
            appendLength(content.count)
            bytes.append(contentsOf: content)
        }
    }

    mutating func append(_ date: Date?) {
        guard let date else { return bytes.append(0) }
        appendLength(8)
        withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian) {
            bytes.append(contentsOf: $0)
        }
    }

    /// Two more than the length, seven bits to a byte, the lowest first.
    private mutating func appendLength(_ length: Int) {
        var rest = length + 2
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    var data: Data {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { bytes in
            let fields = UnsafeRawBufferPointer(rebasing: bytes[start...])
            bytes.storeBytes(
                of: compactChecksum(fields).littleEndian, toByteOffset: start - 4,
                as: UInt32.self)
        }
        return Data(bytes)
    }
}

/// Reads the bytes of ``CompactFieldWriter``, whose checksum has been verified.
private struct CompactFieldReader {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private var isWhole = true

    init?(_ bytes: UnsafeRawBufferPointer, after mark: [UInt8]) {
        let start = mark.count + 4
        guard bytes.count >= start, bytes.starts(with: mark) else { return nil }
        let checksum = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: mark.count, as: UInt32.self))
        guard compactChecksum(UnsafeRawBufferPointer(rebasing: bytes[start...])) == checksum else {
            return nil
        }
        self.bytes = bytes
        position = start
    }

    /// Whether all bytes were read and none was missing.
    var isAtEnd: Bool { isWhole && position == bytes.count }

    mutating func text() -> String? {
        switch field() {
        case .none?: nil
        case .currentUser?: CKCurrentUserDefaultName
        case .bytes(let content)?: String(decoding: content, as: UTF8.self)
        case nil: nil
        }
    }

    mutating func date() -> Date? {
        guard case .bytes(let content)? = field() else { return nil }
        guard content.count == 8 else {
            isWhole = false
            return nil
        }
        let bits = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: content.startIndex, as: UInt64.self))
        return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }

    private enum Field {
        case none
        case currentUser
        case bytes(Slice<UnsafeRawBufferPointer>)
    }

    /// The next field; nil if the bytes end too early.
    private mutating func field() -> Field? {
        switch length() {
        case 0?: return Field.none
        case 1?: return .currentUser
        case let length? where length - 2 <= bytes.count - position:
            let start = position
            position += length - 2
            return .bytes(bytes[start..<position])
        default:
            isWhole = false
            return nil
        }
    }

    private mutating func length() -> Int? {
        var (length, shift) = (0, 0)
        while position < bytes.count, shift < 56 {
            let byte = bytes[position]
            position += 1
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return length }
            shift += 7
        }
        return nil
    }
}

/// The 32 bits of FNV-1a.
private func compactChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum: UInt32 = 0x811C_9DC5
    for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
    return sum
}
