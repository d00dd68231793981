import CloudKit
import Testing

@Suite("CLLocation")
struct LocationTests {
    private let vienna = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48.2082, longitude: 16.3738), altitude: 171,
        horizontalAccuracy: 5, verticalAccuracy: 3, course: 90, speed: 1,
        timestamp: Date(timeIntervalSince1970: 0))

    @Test("The distance between two cities is right to half a percent, in both directions")
    func distance() {
        let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
        let meters = vienna.distance(from: berlin)
        #expect(abs(meters - 524_000) < 2_620)
        #expect(abs(berlin.distance(from: vienna) - meters) < 0.001)
        #expect(vienna.distance(from: vienna) == 0)
    }

    @Test("Locations are equal if all their values are, and survive archives")
    func archive() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: vienna, requiringSecureCoding: true)
        let decoded = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
        #expect(decoded == vienna)
        #expect(decoded.hash == vienna.hash)
        #expect(decoded.altitude == 171 && decoded.courseAccuracy == -1)
        #expect(decoded != CLLocation(latitude: 48.2082, longitude: 16.3738))
    }

    @Test("A coordinate is valid within its bounds")
    func validity() {
        #expect(CLLocationCoordinate2DIsValid(vienna.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(91, 0)))
    }
}
