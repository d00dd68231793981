import CloudKit
import CoreData
import LocalCloud
import SeededRandom
import Testing

@testable import Seam3

@Suite("The keys of an order stay short") struct OrderKeyLengthTests {
    /// The position of a new member.
    enum Place: String, CaseIterable {
        case first, second, third, middle, last, beforeLast, random, alternating

        func index(_ count: Int, _ step: Int, _ generator: inout SeededGenerator) -> Int {
            switch self {
            case .first: return 0
            case .second: return min(1, count)
            case .third: return min(2, count)
            case .middle: return count / 2
            case .last: return count
            case .beforeLast: return max(0, count - 1)
            case .random: return Int.random(in: 0...count, using: &generator)
            case .alternating: return step.isMultiple(of: 2) ? 0 : count / 2
            }
        }
    }

    private static let limit = 32

    @Test("on the server, after many insertions at one place", arguments: Place.allCases)
    func insertions(place: Place) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("a", on: cloud, model: LibraryModel.make())
        try device.addAll("Album", "album")
        try device.addAll("Track", "t0", "t1")
        try device.setMembers("Album", "album", "tracks", ["t0", "t1"])
        var generator = SeededGenerator(seed: 5)
        var names = ["t0", "t1"]
        for step in 0..<200 {
            let index = place.index(names.count, step, &generator)
            names.insert("n\(step)", at: index)
            try device.edit { context in
                let album = try Device.object("Album", "album", in: context)
                let track = NSEntityDescription.insertNewObject(
                    forEntityName: "Track", into: context)
                track.setValue("n\(step)", forKey: "name")
                album.mutableOrderedSetValue(forKey: "tracks").insert(track, at: index)
            }
        }
        try await device.store.sync()
        let records = try await RawClient(cloud).records(ofType: "Track")
        let keys = records.compactMap { record -> String? in record["album_order"] }
        #expect(keys.count == 202)
        let longest = keys.map(\.count).max() ?? 0
        #expect(longest <= Self.limit, "\(longest)")
        let other = try Device("b", on: cloud, model: LibraryModel.make())
        try await other.store.sync()
        #expect(try other.members("Album", "album", "tracks") == names)
    }

    @Test("among links, after many insertions at one place", arguments: [Place.second, .first])
    func links(place: Place) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("a", on: cloud, model: LibraryModel.make())
        try device.addAll("Article", "article")
        try device.edit { context in
            let article = try Device.object("Article", "article", in: context)
            let readers = article.mutableOrderedSetValue(forKey: "readers")
            for name in ["r0", "r1"] {
                let reader = NSEntityDescription.insertNewObject(
                    forEntityName: "Reader", into: context)
                reader.setValue(name, forKey: "name")
                readers.add(reader)
            }
        }
        var generator = SeededGenerator(seed: 5)
        for step in 0..<200 {
            try device.edit { context in
                let article = try Device.object("Article", "article", in: context)
                let reader = NSEntityDescription.insertNewObject(
                    forEntityName: "Reader", into: context)
                reader.setValue("n\(step)", forKey: "name")
                let readers = article.mutableOrderedSetValue(forKey: "readers")
                readers.insert(reader, at: place.index(readers.count, step, &generator))
            }
        }
        try await device.store.sync()
        let records = try await RawClient(cloud).records(ofType: "SM_Link_Article_readers")
        let keys = records.flatMap { record -> [String] in
            let keys: [String?] = [record["sourceOrder"], record["targetOrder"]]
            return keys.compactMap { $0 }
        }
        let longest = keys.map(\.count).max() ?? 0
        #expect(records.count == 202)
        #expect(longest <= Self.limit, "\(longest)")
    }

    @Test("when two devices take turns inserting at one place")
    func twoDevices() async throws {
        let cloud = LocalCloud.inMemory()
        let devices = try ["a", "b"].map {
            try Device($0, on: cloud, model: LibraryModel.make())
        }
        try devices[0].addAll("Album", "album")
        try devices[0].addAll("Track", "t0", "t1")
        try devices[0].setMembers("Album", "album", "tracks", ["t0", "t1"])
        for device in devices { try await device.store.sync() }
        for step in 0..<60 {
            let device = devices[step % 2]
            try device.edit { context in
                let album = try Device.object("Album", "album", in: context)
                for number in 0..<4 {
                    let track = NSEntityDescription.insertNewObject(
                        forEntityName: "Track", into: context)
                    track.setValue("\(step) \(number)", forKey: "name")
                    album.mutableOrderedSetValue(forKey: "tracks").insert(track, at: 1)
                }
            }
            for device in [device, devices[1 - step % 2]] { try await device.store.sync() }
        }
        let records = try await RawClient(cloud).records(ofType: "Track")
        let longest =
            records.compactMap { record -> String? in record["album_order"] }
            .map(\.count).max() ?? 0
        #expect(longest <= Self.limit, "\(longest)")
        let orders = try devices.map { try $0.members("Album", "album", "tracks") }
        #expect(orders[0].count == 242)
        #expect(orders[0] == orders[1])
    }

    @Test("existing long ones are replaced when members move")
    func longKeys() async throws {
        let cloud = LocalCloud.inMemory()
        let client = RawClient(cloud)
        let device = try Device("a", on: cloud, model: LibraryModel.make())
        try await device.store.sync()
        try await client.save(client.record("Album", named: "album", ["name": "album"]))
        for index in 0..<4 {
            let key = String(repeating: "V", count: 300) + "\(index + 1)"
            let track = client.record(
                "Track", named: "track \(index)", ["name": "\(index)", "album_order": key])
            track["album"] = client.reference(to: "album")
            try await client.save(track)
        }
        try await device.store.sync()
        try device.setMembers("Album", "album", "tracks", ["0", "2", "1", "3"])
        try await device.store.sync()
        let keys = try await client.records(ofType: "Track")
            .compactMap { record -> String? in record["album_order"] }
        #expect((keys.map(\.count).max() ?? 0) <= Self.limit)
        #expect(try device.members("Album", "album", "tracks") == ["0", "2", "1", "3"])
    }
}
