import CloudKit
import CoreLocation

/// The form in which coordinates stand in objects: `"latitude;longitude"`.
///
/// Codable has no locations and CloudKit has, so a text that is exactly two decimal numbers in range
/// around one semicolon becomes a location, and comes back as such a text.
enum LocationText {
    /// The location that a text means, if it means one.
    static func location(_ text: String) -> CLLocation? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            let latitude = degrees(parts[0], limit: 90),
            let longitude = degrees(parts[1], limit: 180)
        else { return nil }
        return CLLocation(latitude: latitude, longitude: longitude)
    }

    /// The text of a location.
    static func text(_ location: CLLocation) -> String {
        "\(location.coordinate.latitude);\(location.coordinate.longitude)"
    }

    /// A number from an optional sign, digits and at most one point between digits. An exponent is
    /// taken too, because that is how Swift writes numbers near zero.
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
