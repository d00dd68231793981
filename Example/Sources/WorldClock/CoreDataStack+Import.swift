import CoreData

extension CoreDataStack {
    /// Creates an object for each country and zone that is not in the store yet, and saves from
    /// time to time.
    ///
    /// - Parameters:
    ///   - data: The tables.
    ///   - progress: Called after each save with the number of lines done and their total.
    /// - Returns: The number of objects created.
    public func importTimeZones(
        _ data: TimeZoneData, progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws -> Int {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let total = data.countries.count + data.zones.count
            var made = 0
            var done = 0
            func advance() throws {
                done += 1
                guard done % 50 == 0 || done == total else { return }
                try context.save()
                progress(done, total)
            }
            var countries: [String: Country] = [:]
            for country in try context.objects(Country.self) { countries[country.code] = country }
            for line in data.countries {
                if countries[line.code] == nil {
                    let country = context.insert(Country.self)
                    country.code = line.code
                    country.name = line.name
                    countries[line.code] = country
                    made += 1
                }
                try advance()
            }
            let known = Set(try context.objects(Zone.self).map(\.name))
            for line in data.zones {
                if !known.contains(line.name) {
                    let zone = context.insert(Zone.self)
                    zone.name = line.name
                    zone.latitude = line.latitude
                    zone.longitude = line.longitude
                    zone.comment = line.comment
                    zone.country = line.countryCodes.first.flatMap { countries[$0] }
                    zone.servedCountries = Set(line.countryCodes.compactMap { countries[$0] })
                    made += 1
                }
                try advance()
            }
            return made
        }
    }
}
