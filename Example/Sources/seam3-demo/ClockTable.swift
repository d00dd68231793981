import Console
import CoreData
import WorldClock

/// The clocks as lines of text.
enum ClockTable {
    private static let titles = ["Label", "Zone", "Country", "Folder", "Note", "Chime"]

    /// The table of the clocks in a context, in their order.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - country: The code of a country or a part of its name; nil for all.
    ///   - withTimes: Whether the table shows the current times.
    static func text(
        _ context: NSManagedObjectContext, in country: String? = nil, withTimes: Bool = false
    ) throws -> String {
        let predicate = country.map {
            NSPredicate(
                format: "timeZone.country.code ==[c] %@ OR timeZone.country.name CONTAINS[cd] %@",
                $0, $0)
        }
        let clocks = try context.objects(
            Clock.self, sortedBy: "position", "label", "created", where: predicate)
        let now = Date()
        let rows = clocks.map { clock -> [String] in
            let row = [
                clock.label, clock.timeZone?.name ?? "–", clock.timeZone?.country?.name ?? "–",
                clock.folder?.name ?? "–", clock.note ?? "–",
                clock.chime.map { "\($0.count) bytes" } ?? "–",
            ]
            return withTimes ? [time(now, in: clock.timeZone?.name)] + row : row
        }
        return TextTable.lines((withTimes ? ["Time"] : []) + titles, rows)
    }

    /// Every object with every value, one on each line: equal text means equal data.
    ///
    /// Dates have milliseconds, the precision that CloudKit keeps.
    static func snapshot(_ context: NSManagedObjectContext) throws -> [String] {
        let countries = try context.objects(Country.self, sortedBy: "code").map {
            "country \($0.code) \($0.name)"
        }
        let zones = try context.objects(Zone.self, sortedBy: "name").map { zone in
            "zone \(zone.name) \(zone.latitude) \(zone.longitude) \(zone.comment ?? "")"
                + " \(zone.country?.code ?? "") \(zone.servedCountries.map(\.code).sorted())"
        }
        let folders = try context.objects(Folder.self, sortedBy: "name").map { "folder \($0.name)" }
        let clocks = try context.objects(Clock.self, sortedBy: "identifier").map { clock in
            "clock \(clock.identifier?.uuidString ?? "") \(clock.label) \(clock.note ?? "")"
                + String(format: " %.3f", clock.created?.timeIntervalSince1970 ?? 0)
                + " \(clock.position)"
                + " \(clock.chime?.base64EncodedString() ?? "") \(clock.timeZone?.name ?? "")"
                + " \(clock.folder?.name ?? "")"
        }
        return countries + zones + folders + clocks
    }

    private static func time(_ date: Date, in zone: String?) -> String {
        guard let zone = zone.flatMap(TimeZone.init(identifier:)) else { return "–" }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "EEE HH:mm"
        return formatter.string(from: date)
    }
}
