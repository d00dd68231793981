import Foundation

extension Double {
    /// The number as text with so many digits after the point.
    ///
    /// - Parameter places: How many digits.
    public func rounded(toPlaces places: Int) -> String {
        String(format: "%.\(places)f", self)
    }
}
