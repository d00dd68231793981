import CoreData
import LocalCloud
import Seam3
import Testing

extension OwnInversePairTests {
    // MARK: - Many pairs

    static func names(ofPairs count: Int) -> [String] {
        (0..<count).flatMap { index in ["a\(index)", "b\(index)"] }
    }

    @Test(
        "loses all of many pairs that one device has removed in one save, however pages are cut",
        arguments: [7, 200])
    func manyRemoved(pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let names = Self.names(ofPairs: 150)
        let devices = try await devices(2, on: cloud, pairs: names)
        try devices[0].edit { context in
            for person in try Device.all("Person", in: context) {
                person.setValue(nil, forKey: "partner")
            }
        }
        try await expectOneTruth(Self.partners([], singles: names), devices, on: cloud)
    }

    @Test(
        "loses all of many pairs of which one device has set only one end to nil",
        arguments: [["b"], ["a", "b"]])
    func manyRemovedAtOneEnd(ends: [String]) async throws {
        let cloud = LocalCloud.inMemory()
        let names = Self.names(ofPairs: 150)
        let devices = try await devices(2, on: cloud, pairs: names)
        try devices[0].edit { context in
            for index in 0..<150 {
                try Device.object("Person", "\(ends[index % ends.count])\(index)", in: context)
                    .setValue(nil, forKey: "partner")
            }
        }
        try await expectOneTruth(Self.partners([], singles: names), devices, on: cloud)
    }

    @Test(
        "has the pairs of a rotation of many, however pages are cut", arguments: [50])
    func manyRotated(pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let count = 150
        let devices = try await devices(2, on: cloud, pairs: Self.names(ofPairs: count))
        try devices[0].edit { context in
            for index in 0..<count {
                try Device.object("Person", "a\(index)", in: context).setValue(
                    try Device.object("Person", "b\((index + 1) % count)", in: context),
                    forKey: "partner")
            }
        }
        let pairs = (0..<count).map { ("a\($0)", "b\(($0 + 1) % count)") }
        try await expectOneTruth(Self.partners(pairs), devices, on: cloud)
    }

    @Test("has none of many pairs whose one half one device has deleted", arguments: [7, 200])
    func manyDeleted(pageSize: Int) async throws {
        let cloud = Self.cloud(pageSize: pageSize)
        let devices = try await devices(2, on: cloud, pairs: Self.names(ofPairs: 150))
        try devices[0].edit { context in
            for index in 0..<150 {
                context.delete(try Device.object("Person", "b\(index)", in: context))
            }
        }
        let singles = (0..<150).map { "a\($0)" }
        try await expectOneTruth(Self.partners([], singles: singles), devices, on: cloud)
    }
}
