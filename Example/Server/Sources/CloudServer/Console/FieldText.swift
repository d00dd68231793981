import CloudKitWebServices
import Foundation
import Seam3

/// The values of records as text for people, and back for queries.
enum FieldText {
    private static let longest = 80
    /// A column that was learned from numbers without a type takes both.
    private static let number = FieldType(rawValue: "NUMBER")

    /// What a type of fields is called.
    static func name(of type: FieldType) -> String {
        switch type {
        case number: "INT64 or DOUBLE"
        case number.list: "INT64_LIST or DOUBLE_LIST"
        default: type.rawValue
        }
    }

    /// One line for a table, not too long. Of what a record says about its edits, it is the version.
    static func line(_ value: FieldValue?, of field: String? = nil) -> String {
        if field == SMRecordEdits.field, case .bytes(let data) = value,
            let edits = SMRecordEdits(data, fields: [])
        {
            return "version \(edits.version)"
        }
        let text = text(value)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > longest ? "\(line.prefix(longest))…" : line
    }

    /// The whole value; of bytes only the beginning.
    static func text(_ value: FieldValue?) -> String {
        switch value {
        case nil: ""
        case .string(let text): text
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bytes(let data): bytes(data)
        case .timestamp(let milliseconds): date(milliseconds)
        case .location(let location): "\(location.latitude), \(location.longitude)"
        case .reference(let reference): reference.recordName
        case .asset(let asset): size(asset.size ?? 0)
        case .list(let elements): elements.map(text).joined(separator: ", ")
        }
    }

    /// The whole value of a record's field; what the record says about its edits in words.
    static func text(_ value: FieldValue, of field: String, in record: RecordDictionary) -> String {
        guard field == SMRecordEdits.field, case .bytes(let data) = value,
            let edits = SMRecordEdits(data, fields: record.fields.keys)
        else { return text(value) }
        return "\(edits)"
    }

    /// Milliseconds since 1970 as `2026-11-23 07:00:00`, in UTC.
    static func date(_ milliseconds: Int64) -> String {
        date(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    static func date(_ date: Date) -> String {
        date.formatted(
            .verbatim(
                """
                \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                \(minute: .twoDigits):\(second: .twoDigits)
                """,
                timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }

    /// A number of bytes.
    static func size(_ bytes: Int64) -> String {
        let units = ["bytes", "KB", "MB", "GB"]
        var (number, unit) = (Double(bytes), 0)
        while number >= 1000, unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : String(format: "%.1f %@", number, units[unit])
    }

    private static func bytes(_ data: Data) -> String {
        let shown = data.prefix(24).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(shown)\(data.count > 24 ? "…" : "") (\(size(Int64(data.count))))"
    }

    /// Reads a value of a type as people write it; nil if it is none.
    static func value(_ text: String, as type: FieldType) -> FieldValue? {
        switch type.element ?? type {
        case .string: .string(text)
        case .int64: Int64(text).map(FieldValue.int64)
        case .double: Double(text).map(FieldValue.double)
        case number: Int64(text).map(FieldValue.int64) ?? Double(text).map(FieldValue.double)
        case .timestamp:
            (try? Date(text.replacingOccurrences(of: " ", with: "T"), strategy: strategy(for: text)))
                .map { FieldValue.timestamp($0) }
        case .reference: .reference(ReferenceDictionary(recordName: text))
        default: nil
        }
    }

    private static func strategy(for text: String) -> Date.ISO8601FormatStyle {
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        return text.contains(":") ? day.time(includingFractionalSeconds: false) : day
    }
}
