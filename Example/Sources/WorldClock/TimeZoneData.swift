import CoreData

/// The tables of the IANA time zone database that come with the app.
public struct TimeZoneData: Sendable {
    /// A line of `iso3166.tab`.
    struct CountryLine: Sendable {
        let code: String
        let name: String
    }

    /// A line of `zone1970.tab`.
    struct ZoneLine: Sendable {
        /// The countries that it serves; that of its principal place comes first.
        let countryCodes: [String]
        let latitude: Double
        let longitude: Double
        let name: String
        let comment: String?
    }

    let countries: [CountryLine]
    let zones: [ZoneLine]

    /// Reads the tables.
    public init() throws {
        countries = try Self.lines(of: "iso3166").map { CountryLine(code: $0[0], name: $0[1]) }
        zones = try Self.lines(of: "zone1970").map { fields in
            guard fields.count > 2, let place = Self.coordinates(fields[1]) else {
                throw AppError("zone1970.tab has a line that cannot be read: \(fields)")
            }
            return ZoneLine(
                countryCodes: fields[0].split(separator: ",").map(String.init),
                latitude: place.latitude,
                longitude: place.longitude, name: fields[2],
                comment: fields.count > 3 ? fields[3] : nil)
        }
    }

    private static func lines(of table: String) throws -> [[String]] {
        guard let url = Bundle.module.url(forResource: table, withExtension: "tab") else {
            throw AppError("The app lacks its resource \(table).tab.")
        }
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
    }

    /// Parses a location in ISO 6709 form, such as `+4230+00131` or `-720041+0023206`.
    static func coordinates(_ text: String) -> (latitude: Double, longitude: Double)? {
        guard let middle = text.dropFirst().firstIndex(where: { "+-".contains($0) }) else {
            return nil
        }
        guard let latitude = degrees(text[..<middle], digits: 2),
            let longitude = degrees(text[middle...], digits: 3)
        else { return nil }
        return (latitude, longitude)
    }

    /// Parses a sign, degrees with the given number of digits, minutes, and optional seconds.
    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let number = text.dropFirst()
        let rest = number.dropFirst(digits)
        guard let degrees = Double(number.prefix(digits)), let minutes = Double(rest.prefix(2))
        else { return nil }
        let seconds = Double(rest.dropFirst(2)) ?? 0
        let value = degrees + minutes / 60 + seconds / 3600
        return text.first == "-" ? -value : value
    }
}
