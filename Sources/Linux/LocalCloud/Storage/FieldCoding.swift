import CloudKitService
import Foundation
import SeamSQLite

/// The stored form of a record's fields: for each field its name, its type, and its value. Integers
/// are little-endian; strings and bytes follow their length.
enum FieldCoding {
    /// The stored data is damaged.
    struct DamagedFields: Error {}

    private static let version: UInt8 = 1
    private static let encryptedFlag: UInt8 = 0x80

    static func encode(_ fields: [String: RecordFieldDictionary]) -> Data {
        var writer = Writer()
        writer.byte(version)
        writer.integer(UInt32(fields.count))
        for (name, field) in fields {
            guard let value = field.value else { continue }
            writer.text(name)
            writer.value(value, flags: field.isEncrypted ? encryptedFlag : 0)
        }
        return Data(writer.bytes)
    }

    static func decode(
        _ data: Data, desiredKeys: Set<String>? = nil
    ) throws -> [String: RecordFieldDictionary] {
        if let desiredKeys, desiredKeys.isEmpty { return [:] }
        return try data.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes)
            guard try reader.byte() == version else { throw DamagedFields() }
            let count = Int(try reader.integer(UInt32.self))
            var fields: [String: RecordFieldDictionary] = [:]
            fields.reserveCapacity(min(count, bytes.count))
            for _ in 0..<count {
                let name = try reader.text()
                let tag = try reader.byte()
                let value = try reader.value(tag: tag & ~encryptedFlag)
                guard desiredKeys?.contains(name) ?? true else { continue }
                fields[name] = RecordFieldDictionary(
                    value, isEncrypted: tag & encryptedFlag != 0)
            }
            return fields
        }
    }

    private enum Tag: UInt8 {
        case string = 1
        case int64, double, bytes, timestamp, location, reference, asset, list
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func byte(_ value: UInt8) { bytes.append(value) }

        mutating func integer<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func text(_ text: String) {
            integer(UInt32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }

        mutating func optionalText(_ text: String?) {
            byte(text == nil ? 0 : 1)
            if let text { self.text(text) }
        }

        mutating func optionalInteger(_ value: Int64?) {
            byte(value == nil ? 0 : 1)
            if let value { integer(value) }
        }

        mutating func optionalDouble(_ value: Double?) {
            optionalInteger(value.map { Int64(bitPattern: $0.bitPattern) })
        }

        mutating func value(_ value: FieldValue, flags: UInt8 = 0) {
            func tag(_ tag: Tag) -> UInt8 { tag.rawValue | flags }
            switch value {
            case .string(let text):
                byte(tag(.string))
                self.text(text)
            case .int64(let number):
                byte(tag(.int64))
                integer(number)
            case .double(let number):
                byte(tag(.double))
                integer(number.bitPattern)
            case .bytes(let data):
                byte(tag(.bytes))
                integer(UInt32(data.count))
                bytes.append(contentsOf: data)
            case .timestamp(let number):
                byte(tag(.timestamp))
                integer(number)
            case .location(let location):
                byte(tag(.location))
                self.location(location)
            case .reference(let reference):
                byte(tag(.reference))
                self.reference(reference)
            case .asset(let asset):
                byte(tag(.asset))
                self.asset(asset)
            case .list(let elements):
                byte(tag(.list))
                integer(UInt32(elements.count))
                for element in elements { self.value(element) }
            }
        }

        private mutating func location(_ location: LocationDictionary) {
            integer(location.latitude.bitPattern)
            integer(location.longitude.bitPattern)
            optionalDouble(location.horizontalAccuracy)
            optionalDouble(location.verticalAccuracy)
            optionalDouble(location.altitude)
            optionalDouble(location.speed)
            optionalDouble(location.course)
            optionalInteger(location.timestamp)
        }

        // A reference stays within its zone, so the zone is not stored.
        private mutating func reference(_ reference: ReferenceDictionary) {
            text(reference.recordName)
            optionalText(reference.action?.rawValue)
        }

        private mutating func asset(_ asset: AssetDictionary) {
            optionalText(asset.fileChecksum)
            optionalInteger(asset.size)
            optionalText(asset.receipt)
            optionalText(asset.referenceChecksum)
            optionalText(asset.wrappingKey)
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var offset = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
            guard count <= bytes.count - offset else { throw DamagedFields() }
            defer { offset += count }
            return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
        }

        mutating func byte() throws -> UInt8 { try take(1)[0] }

        mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
            T(littleEndian: try take(MemoryLayout<T>.size).loadUnaligned(as: T.self))
        }

        mutating func double() throws -> Double {
            Double(bitPattern: try integer(UInt64.self))
        }

        mutating func text() throws -> String {
            let count = Int(try integer(UInt32.self))
            return String(decoding: try take(count), as: UTF8.self)
        }

        mutating func optionalText() throws -> String? {
            try byte() == 0 ? nil : text()
        }

        mutating func optionalInteger() throws -> Int64? {
            try byte() == 0 ? nil : integer(Int64.self)
        }

        mutating func optionalDouble() throws -> Double? {
            try optionalInteger().map { Double(bitPattern: UInt64(bitPattern: $0)) }
        }

        mutating func value(tag: UInt8) throws -> FieldValue {
            guard let tag = Tag(rawValue: tag) else { throw DamagedFields() }
            switch tag {
            case .string: return .string(try text())
            case .int64: return .int64(try integer(Int64.self))
            case .double: return .double(try double())
            case .bytes:
                let count = Int(try integer(UInt32.self))
                return .bytes(Data(try take(count)))
            case .timestamp: return .timestamp(try integer(Int64.self))
            case .location: return .location(try location())
            case .reference:
                let name = try text()
                let action = try optionalText().flatMap(ReferenceDictionary.Action.init)
                return .reference(ReferenceDictionary(recordName: name, action: action))
            case .asset: return .asset(try asset())
            case .list:
                let count = Int(try integer(UInt32.self))
                var elements: [FieldValue] = []
                for _ in 0..<count {
                    let tag = try byte()
                    // Lists are never nested; a damaged one must not overflow the stack.
                    guard tag != Tag.list.rawValue else { throw DamagedFields() }
                    elements.append(try value(tag: tag))
                }
                return .list(elements)
            }
        }

        private mutating func location() throws -> LocationDictionary {
            LocationDictionary(
                latitude: try double(), longitude: try double(),
                horizontalAccuracy: try optionalDouble(), verticalAccuracy: try optionalDouble(),
                altitude: try optionalDouble(), speed: try optionalDouble(),
                course: try optionalDouble(), timestamp: try optionalInteger())
        }

        private mutating func asset() throws -> AssetDictionary {
            AssetDictionary(
                fileChecksum: try optionalText(), size: try optionalInteger(),
                receipt: try optionalText(), referenceChecksum: try optionalText(),
                wrappingKey: try optionalText())
        }
    }
}
