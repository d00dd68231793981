import ArgumentParser
import CoreData
import Seam3
import WorldClock

/// Demonstrates everything on two devices, step by step.
struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show two devices that import, edit offline, meet and agree. The default.")

    func run() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("seam3-demo-\(UUID().uuidString)", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let cloud = Cloud(directory: directory.appendingPathComponent("cloud", isDirectory: true))
        let phone = try await Device("phone", in: directory, cloud: cloud)
        let tablet = try await Device("tablet", in: directory, cloud: cloud)
        let guide = TourGuide(phone: phone, tablet: tablet, cloud: cloud)
        try await guide.run()
    }
}

/// Walks through the steps of the tour.
struct TourGuide {
    let phone: Device
    let tablet: Device
    let cloud: Cloud
    private let pushes = PushQueue()
    private let clock = ContinuousClock()

    init(phone: Device, tablet: Device, cloud: Cloud) {
        self.phone = phone
        self.tablet = tablet
        self.cloud = cloud
    }

    func run() async throws {
        try await step("Two devices sign up with an empty cloud") {
            for device in [phone, tablet] {
                device.stack.store.syncAutomatically = false
                try await sync(device)
            }
            try await cloud.deliverPushes(to: tablet.container) { [pushes] in pushes.put($0) }
        }
        try await importOnPhone()
        try await receiveOnTablet()
        try await editOffline()
        try await meet()
        try await compare()
    }

    private func importOnPhone() async throws {
        try await step("The phone imports the IANA time zones, and adds clocks") {
            let made = try await phone.stack.importTimeZones(TimeZoneData()) { done, total in
                Terminal.showProgress(done, of: total)
            }
            try await phone.stack.perform { context in
                let chime = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0) })
                try context.addClock("Home", zone: "Europe/Berlin", folder: "Family", chime: chime)
                try context.addClock("Grandma", zone: "America/Toronto", folder: "Family")
                try context.addClock("Office", zone: "Asia/Tokyo", folder: "Work", note: "9 to 5")
                try context.addClock("Holiday", zone: "Pacific/Auckland", note: "Some day")
            }
            say("\(made) countries and zones, 4 clocks in 2 folders")
            try report(phone)
        }
        try await step("The phone syncs") { try await sync(phone) }
    }

    private func receiveOnTablet() async throws {
        try await step("The tablet gets a push, and fetches") {
            let deadline = Task { [pushes] in
                try await Task.sleep(for: .seconds(60))
                pushes.finish()
            }
            defer { deadline.cancel() }
            var received = 0
            for await _ in pushes.arrivals {
                guard let userInfo = pushes.take() else { continue }
                received += 1
                let result = await tablet.stack.handlePush(userInfo)
                say("push \(received): \(result)")
                if try await differences().isEmpty { break }
            }
            try await requireEquality()
            Terminal.show(try await tablet.stack.perform { try ClockTable.text($0) })
        }
    }

    private func editOffline() async throws {
        try await step("Both go offline and edit, one clock on both") {
            cloud.setOnline(false)
            try await phone.stack.perform { context in
                try context.clock(labeled: "Office").note = "Phone: 10 to 6"
                try context.clock(labeled: "Home").folder = nil
                context.delete(try context.clock(labeled: "Holiday"))
            }
            say("phone: edits Office, takes Home out of its folder, deletes Holiday")
            try await tablet.stack.perform { context in
                try context.clock(labeled: "Office").note = "Tablet: 8 to 4"
                try context.clock(labeled: "Grandma").note = "Call on Sunday"
                try context.addClock("Club", zone: "Africa/Nairobi", folder: "Work")
            }
            say("tablet: edits Office and Grandma, adds Club")
            do {
                try await phone.stack.store.sync()
                throw AppError("A sync without a network succeeded.")
            } catch let error as AppError {
                throw error
            } catch {
                say("phone: a sync fails, and nothing is lost: \(error.localizedDescription)")
            }
            try report(phone)
            try report(tablet)
        }
    }

    private func meet() async throws {
        try await step("Both are online again; the policy is: the server's record wins") {
            cloud.setOnline(true)
            try await sync(phone)
            try await sync(tablet)
            try await sync(phone)
        }
    }

    private func compare() async throws {
        try await step("Both show the same") {
            for device in [phone, tablet] {
                say(device.name)
                Terminal.show(try await device.stack.perform { try ClockTable.text($0) })
            }
            try await requireEquality()
            let count = try await phone.stack.perform { try ClockTable.snapshot($0).count }
            say("\(count) objects are equal on both devices, value by value.")
        }
    }

    // MARK: - Output

    private func step(_ title: String, _ work: () async throws -> Void) async throws {
        Terminal.show("\n▸ \(title)")
        let duration = try await clock.measure(work)
        let (seconds, attoseconds) = duration.components
        say("took \(Device.seconds(Double(seconds) + Double(attoseconds) * 1e-18))")
    }

    private func say(_ text: String) {
        Terminal.show("  \(text)")
    }

    private func sync(_ device: Device) async throws {
        let summary = try await device.stack.store.sync()
        say("\(device.name): \(Device.describe(summary))")
    }

    private func report(_ device: Device) throws {
        say("\(device.name): \(try device.pendingChanges()) for the cloud")
    }

    private func requireEquality() async throws {
        let differences = try await differences()
        guard differences.isEmpty else {
            throw AppError("The devices differ:\n" + differences.sorted().joined(separator: "\n"))
        }
    }

    /// The objects and values that only one device has.
    private func differences() async throws -> Set<String> {
        let here = try await phone.stack.perform { Set(try ClockTable.snapshot($0)) }
        let there = try await tablet.stack.perform { Set(try ClockTable.snapshot($0)) }
        return here.symmetricDifference(there)
    }
}
