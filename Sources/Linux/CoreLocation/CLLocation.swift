/// A location with its altitude and motion at a time, and the uncertainty of each.
///
/// It is the value of CloudKit's location fields. There is no location service behind it.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The latitude and longitude.
    public let coordinate: CLLocationCoordinate2D

    /// The altitude above mean sea level, in meters.
    public let altitude: CLLocationDistance

    /// The radius of uncertainty of ``coordinate``, in meters; negative if it is invalid.
    public let horizontalAccuracy: CLLocationAccuracy

    /// The uncertainty of ``altitude``, in meters; zero or negative if it is invalid.
    public let verticalAccuracy: CLLocationAccuracy

    /// The heading, in degrees clockwise from true north; negative if it is unknown.
    public let course: CLLocationDirection

    /// The uncertainty of ``course``, in degrees; negative if it is unknown.
    public let courseAccuracy: CLLocationDirectionAccuracy

    /// The speed in meters per second; negative if it is unknown.
    public let speed: CLLocationSpeed

    /// The uncertainty of ``speed``, in meters per second; negative if it is unknown.
    public let speedAccuracy: CLLocationSpeedAccuracy

    /// When the location was determined.
    public let timestamp: Date

    /// Creates a location from a latitude and a longitude in degrees, at the current time, with
    /// unknown altitude and motion.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Creates a location without motion.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Creates a location with motion of unknown uncertainty.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed,
            speedAccuracy: -1, timestamp: timestamp)
    }

    /// Creates a location with values for all properties.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let latitude = "latitude"
        static let longitude = "longitude"
        static let altitude = "altitude"
        static let horizontalAccuracy = "horizontalAccuracy"
        static let verticalAccuracy = "verticalAccuracy"
        static let course = "course"
        static let courseAccuracy = "courseAccuracy"
        static let speed = "speed"
        static let speedAccuracy = "speedAccuracy"
        static let timestamp = "timestamp"
    }

    /// Locations decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a location that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Key.latitude), coder.containsValue(forKey: Key.longitude)
        else { return nil }
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: Key.latitude),
            longitude: coder.decodeDouble(forKey: Key.longitude))
        altitude = coder.decodeDouble(forKey: Key.altitude)
        horizontalAccuracy = coder.decodeDouble(forKey: Key.horizontalAccuracy)
        verticalAccuracy = coder.decodeDouble(forKey: Key.verticalAccuracy)
        course = coder.decodeDouble(forKey: Key.course)
        courseAccuracy = coder.decodeDouble(forKey: Key.courseAccuracy)
        speed = coder.decodeDouble(forKey: Key.speed)
        speedAccuracy = coder.decodeDouble(forKey: Key.speedAccuracy)
        timestamp = Date(
            timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp))
    }

    /// Encodes every property, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: Key.latitude)
        coder.encode(coordinate.longitude, forKey: Key.longitude)
        coder.encode(altitude, forKey: Key.altitude)
        coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy)
        coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy)
        coder.encode(course, forKey: Key.course)
        coder.encode(courseAccuracy, forKey: Key.courseAccuracy)
        coder.encode(speed, forKey: Key.speed)
        coder.encode(speedAccuracy, forKey: Key.speedAccuracy)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
    }

    /// Returns the receiver: locations never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSObject

    /// Whether the other object is a location with the same values in every property.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        if self === other { return true }
        return coordinate.latitude == other.coordinate.latitude
            && coordinate.longitude == other.coordinate.longitude
            && altitude == other.altitude && horizontalAccuracy == other.horizontalAccuracy
            && verticalAccuracy == other.verticalAccuracy && course == other.course
            && courseAccuracy == other.courseAccuracy && speed == other.speed
            && speedAccuracy == other.speedAccuracy && timestamp == other.timestamp
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(coordinate.latitude)
        hasher.combine(coordinate.longitude)
        hasher.combine(timestamp)
        return hasher.finalize()
    }

    /// The coordinate, its accuracy, the motion and the time.
    open override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m"
            + " (speed \(speed) mps / course \(course)) @ \(timestamp)"
    }
}
