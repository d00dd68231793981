/// An angle in degrees.
public typealias CLLocationDegrees = Double

/// A length in meters.
public typealias CLLocationDistance = Double

/// An uncertainty in meters. A negative value means that the corresponding measurement is invalid.
public typealias CLLocationAccuracy = Double

/// A speed in meters per second.
public typealias CLLocationSpeed = Double

/// An uncertainty in meters per second.
public typealias CLLocationSpeedAccuracy = Double

/// A heading in degrees, clockwise from true north.
public typealias CLLocationDirection = Double

/// An uncertainty in degrees.
public typealias CLLocationDirectionAccuracy = Double

/// A coordinate that is invalid.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
    latitude: -180, longitude: -180)

/// A coordinate on the WGS 84 ellipsoid.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator, negative to its south.
    public var latitude: CLLocationDegrees

    /// Degrees east of the prime meridian, negative to its west.
    public var longitude: CLLocationDegrees

    /// The point where the equator and the prime meridian meet.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate without validation; see ``CLLocationCoordinate2DIsValid(_:)``.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude lies within ±90 degrees and the longitude within ±180.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}
