import Foundation

extension Double {
    /// The number as text with a number of digits after the decimal point.
    ///
    /// - Parameter places: The number of digits.
    public func rounded(toPlaces places: Int) -> String {
        String(format: "%.\(places)f", self)
    }
}
