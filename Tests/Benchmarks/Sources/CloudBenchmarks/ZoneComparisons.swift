import CloudKit
import Measurement

/// The usual requests of a sync, in a zone whose number of records is the size.
struct ZoneComparisons {
    let clouds: Clouds

    var all: [Comparison] { [changes, fetch, save, query] }

    /// One page of the zone's changes, from a random position in the feed.
    private var changes: Comparison {
        Comparison(
            "Page of 200 changes",
            yardstick: Workload("SQLite") { size in
                let zones = try clouds.plainZones(size)
                let zone = zones.randomZone()
                let position = zones.randomPosition(in: zone)
                return { try zones.changes(in: zone, after: position, limit: 200).count }
            },
            subject: Workload("CloudKit") { size in
                let zone = try await clouds.zone(size)
                let token = zone.randomToken()
                return { try await zone.changes(since: token, limit: 200).count }
            })
    }

    /// Fetches random records of the zone by ID.
    private var fetch: Comparison {
        Comparison(
            "Fetch of 400 records by ID",
            yardstick: Workload("SQLite") { size in
                let zones = try clouds.plainZones(size)
                let zone = zones.randomZone()
                let names = Note.randomNames(400, of: size)
                return { try zones.notes(in: zone, named: names).count }
            },
            subject: Workload("CloudKit") { size in
                let zone = try await clouds.zone(size)
                let names = Note.randomNames(400, of: size)
                return { try await zone.records(named: names).count }
            })
    }

    /// Changes random records of the zone, and saves them in one atomic request.
    private var save: Comparison {
        Comparison(
            "Save of 400 records",
            yardstick: Workload("SQLite") { size in
                let zones = try clouds.plainZones(size)
                let zone = zones.randomZone()
                let notes = try zones.notes(in: zone, named: Note.randomNames(400, of: size))
                return { try zones.save(notes, in: zone) }
            },
            subject: Workload("CloudKit") { size in
                let zone = try await clouds.zone(size)
                let records = try await zone.records(
                    named: Note.randomNames(400, of: size))
                for record in records { record["number"] = Int.random(in: 0..<size) }
                return { try await zone.save(records) }
            })
    }

    /// The first page of a query for a range of numbers, sorted by number.
    private var query: Comparison {
        Comparison(
            "Query of 100 records by an indexed field",
            yardstick: Workload("SQLite") { size in
                let zones = try clouds.plainZones(size)
                let zone = zones.randomZone()
                let start = Int.random(in: 0..<size / 2)
                return { try zones.notes(in: zone, withNumberFrom: start, limit: 100).count }
            },
            subject: Workload("CloudKit") { size in
                let zone = try await clouds.zone(size)
                let start = Int.random(in: 0..<size / 2)
                return { try await zone.records(withNumberFrom: start, limit: 100).count }
            })
    }
}
