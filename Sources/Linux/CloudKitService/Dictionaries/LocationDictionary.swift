/// A geographical location. Accuracies, altitude and speed are in meters and seconds.
public struct LocationDictionary: Hashable, Sendable, Codable {
    /// Degrees, -90 to 90.
    public var latitude: Double
    /// Degrees, -180 to 180.
    public var longitude: Double
    /// The radius of uncertainty; negative if the coordinate is not valid.
    public var horizontalAccuracy: Double?
    /// The uncertainty of the altitude; negative if the altitude is not valid.
    public var verticalAccuracy: Double?
    /// Above sea level.
    public var altitude: Double?
    /// Meters per second; negative if not valid.
    public var speed: Double?
    /// Degrees from north; negative if not valid.
    public var course: Double?
    /// Milliseconds since 1970.
    public var timestamp: Int64?

    /// Creates a location.
    public init(
        latitude: Double,
        longitude: Double,
        horizontalAccuracy: Double? = nil,
        verticalAccuracy: Double? = nil,
        altitude: Double? = nil,
        speed: Double? = nil,
        course: Double? = nil,
        timestamp: Int64? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.timestamp = timestamp
    }
}

extension LocationDictionary {
    /// Decodes a location. The milliseconds of its time may have a fraction.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            try container.decodeIfPresent(Double.self, forKey: key)
        }
        self.init(
            latitude: try container.decode(Double.self, forKey: .latitude),
            longitude: try container.decode(Double.self, forKey: .longitude),
            horizontalAccuracy: try number(.horizontalAccuracy),
            verticalAccuracy: try number(.verticalAccuracy), altitude: try number(.altitude),
            speed: try number(.speed), course: try number(.course),
            timestamp: try container.decodeIfPresent(Milliseconds.self, forKey: .timestamp)?.count)
    }
}
