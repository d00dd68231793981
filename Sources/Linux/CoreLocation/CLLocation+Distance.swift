extension CLLocation {
    /// The great-circle distance to another location in meters, ignoring altitude.
    ///
    /// It is computed on a sphere with the earth's mean radius, so it differs from Apple's by up to
    /// half a percent.
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
