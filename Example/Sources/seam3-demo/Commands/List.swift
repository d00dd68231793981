import ArgumentParser
import Console
import CoreData
import WorldClock

/// Shows the contents of the store.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the clocks, or the zones.")

    @OptionGroup var options: DeviceOptions

    @Flag(help: "List the zones instead of the clocks.")
    var zones = false

    @Option(help: "List only this country: its code or a part of its name.")
    var country: String?

    func run() async throws {
        let device = try await options.open()
        let zones = zones
        let country = country
        let text = try await device.stack.perform { context in
            zones
                ? try Self.zones(in: country, context)
                : try ClockTable.text(context, in: country, withTimes: true)
        }
        print(text)
    }

    private static func zones(
        in country: String?, _ context: NSManagedObjectContext
    ) throws -> String {
        let predicate = country.map {
            NSPredicate(
                format:
                    "ANY servedCountries.code ==[c] %@ OR ANY servedCountries.name CONTAINS[cd] %@",
                $0, $0)
        }
        let zones = try context.objects(Zone.self, sortedBy: "name", where: predicate)
        let rows = zones.map { zone in
            [
                zone.name, zone.country?.name ?? "–",
                zone.servedCountries.map(\.code).sorted().joined(separator: " "),
                String(format: "%.2f %.2f", zone.latitude, zone.longitude), zone.comment ?? "",
            ]
        }
        return TextTable.lines(["Zone", "Country", "Serves", "Place", "Comment"], rows)
    }
}
