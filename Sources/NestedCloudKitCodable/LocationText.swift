import CloudKit
import CoreLocation

/// Coordinates as they appear in objects: `"latitude;longitude"`.
///
/// Codable has no locations, but CloudKit has. A string that consists of exactly two decimal
/// numbers in range, separated by a semicolon, becomes a location, and is decoded as such a string.
enum LocationText {
    /// The location that a string represents, if any.
    static func location(_ text: String) -> CLLocation? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            let latitude = degrees(parts[0], limit: 90),
            let longitude = degrees(parts[1], limit: 180)
        else { return nil }
        return CLLocation(latitude: latitude, longitude: longitude)
    }

    /// The string for a location.
    static func text(_ location: CLLocation) -> String {
        "\(location.coordinate.latitude);\(location.coordinate.longitude)"
    }

    /// A number with an optional sign, digits and at most one decimal point between digits. An
    /// exponent is accepted as well, because Swift writes numbers near zero that way.
    private static func degrees(_ text: Substring.UTF8View, limit: Double) -> Double? {
        let isDecimal = text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "+"), UInt8(ascii: "e"):
                return true
            default:
                return false
            }
        }
        guard isDecimal, let first = text.first, let last = text.last,
            first != UInt8(ascii: "."), last != UInt8(ascii: "."),
            let number = Double(String(Substring(text))), abs(number) <= limit
        else { return nil }
        return number
    }
}
