import CloudKitService
import Foundation

/// A value in a record, as its digest is computed of it.
enum WireValue: Hashable {
    case int(Int64)
    case double(Double)
    case text(String)
    /// Milliseconds since 1970.
    case date(Int64)
    /// In the record, or in an asset.
    case data(Data)
    case reference(String)
    /// A double, with the text of all of its digits if the record has one.
    case decimal(Double, String?)
    /// A value whose contents the judge could not read, or of a type without a digest.
    case unread

    /// Whether it is a date at the end of what a record can represent. The date that was written may be beyond.
    var isFarDate: Bool { [.date(.min), .date(.max)].contains(self) }

    /// The digest in edit stamps; nil if it is not known.
    var digest: UInt32? {
        switch self {
        case .int(let number): return Self.digest(Self.bytes(UInt64(bitPattern: number)), type: 1)
        case .double(let number): return Self.digest(Self.bytes(number), type: 2)
        case .text(let text): return Self.digest(Array(text.utf8), type: 3)
        case .date(let number): return Self.digest(Self.bytes(UInt64(bitPattern: number)), type: 4)
        case .data(let data): return Self.digest(Array(data), type: 5)
        case .reference(let name): return Self.digest(Array(name.utf8), type: 6)
        case .decimal(let number, let text):
            return Self.digest(Self.bytes(number) + Array((text ?? "").utf8), type: 7)
        case .unread: return nil
        }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func bytes(_ number: Double) -> [UInt8] {
        bytes((number == 0 ? 0 : number).bitPattern)
    }

    /// Words of eight bytes, the lowest first, are mixed into two lanes: the count of bytes with the type, the bytes, and
    /// what remains of them, the first byte highest.
    private static func digest(_ bytes: [UInt8], type: UInt64) -> UInt32 {
        var first: UInt64 = 0x9E37_79B9_7F4A_7C15
        var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
        func mix(_ word: UInt64) {
            first = (first ^ word) &* 0xFF51_AFD7_ED55_8CCD
            first ^= first >> 32
            second = (second &+ word) &* 0xC4CE_B9FE_1A85_EC53
            second ^= second >> 29
        }
        mix(UInt64(bytes.count) << 8 | type)
        let end = bytes.count / 8 * 8
        for start in stride(from: 0, to: end, by: 8) {
            mix(bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        mix(bytes[end...].reduce(0) { $0 << 8 | UInt64($1) })
        let word = first ^ second
        return UInt32(truncatingIfNeeded: word ^ word >> 32)
    }
}

/// A record on the server, as far as edit stamps are about it.
struct WireRecord {
    var tag: String?
    /// The values by field; those of `<field>_decimal` and `<field>_asset` are among those of `<field>`.
    var values: [String: WireValue] = [:]
    var encrypted: Set<String> = []
    /// The contents of the field `SM_edits`.
    var edits: Data?

    /// The stamps; nil if there are none, or they are damaged.
    var stamps: RecordStamps? { edits.flatMap { RecordStamps($0) } }

    init(tag: String? = nil, values: [String: WireValue] = [:], edits: Data? = nil) {
        self.tag = tag
        self.values = values
        self.edits = edits
    }

    /// - Parameters:
    ///   - fields: What a model says about the fields of the record's type.
    ///   - assets: The contents of assets, by field.
    init(_ record: RecordDictionary, fields: [JudgedField], assets: [String: Data] = [:]) {
        tag = record.recordChangeTag
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        for (name, field) in record.fields {
            guard let value = field.value else { continue }
            if name == RecordStamps.field {
                if case .bytes(let data) = value { edits = data }
                continue
            }
            if byName.values.contains(where: { $0.companions.contains(name) }) { continue }
            values[name] = Self.value(value, assets[name])
            if field.isEncrypted { encrypted.insert(name) }
            guard byName[name]?.isDecimal == true, case .double(let number) = value else {
                continue
            }
            values[name] = .decimal(number, record.fields[name + "_decimal"]?.text)
        }
        for field in fields where field.isBinary && values[field.name] == nil {
            let name = field.name + "_asset"
            guard let value = record.fields[name]?.value else { continue }
            values[field.name] = Self.value(value, assets[name])
        }
    }

    private static func value(_ value: FieldValue, _ contents: Data?) -> WireValue {
        switch value {
        case .string(let text): return .text(text)
        case .int64(let number): return .int(number)
        case .double(let number): return .double(number)
        case .bytes(let data): return .data(data)
        case .timestamp(let number): return .date(number)
        case .reference(let reference): return .reference(reference.recordName)
        case .asset: return contents.map(WireValue.data) ?? .unread
        case .location, .list: return .unread
        }
    }
}

extension RecordFieldDictionary {
    fileprivate var text: String? {
        if case .string(let text)? = value { return text }
        return nil
    }
}
