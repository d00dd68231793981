extension CLLocation {
    /// The length of the great circle between two places, in meters; heights do not count.
    ///
    /// It is computed on a sphere of the earth's mean radius, so it differs from Apple's by up to
    /// half a per cent.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let meanEarthRadius = 6_371_008.8
        let radiansPerDegree = Double.pi / 180
        let latitude = coordinate.latitude * radiansPerDegree
        let otherLatitude = location.coordinate.latitude * radiansPerDegree
        let latitudeHalf = (otherLatitude - latitude) / 2
        let longitudeHalf =
            (location.coordinate.longitude - coordinate.longitude) * radiansPerDegree / 2
        let haversine =
            sin(latitudeHalf) * sin(latitudeHalf)
            + cos(latitude) * cos(otherLatitude) * sin(longitudeHalf) * sin(longitudeHalf)
        return 2 * meanEarthRadius * asin(min(1, haversine.squareRoot()))
    }
}
