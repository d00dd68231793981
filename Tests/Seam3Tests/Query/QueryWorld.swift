import CoreData
import SeededRandom

@testable import Seam3

/// Saved objects with edge values and nils, and two ways to find those that match a predicate.
final class QueryWorld {
    let store: QueryStore
    private(set) var items: [NSManagedObject] = []
    private(set) var boxes: [NSManagedObject] = []
    private(set) var rooms: [NSManagedObject] = []
    private(set) var tags: [NSManagedObject] = []

    static let texts: [String?] = [
        nil, "", "a", "A", "ab", "abc", "Abc", "äbc", "ÄBC", "zoo", "a*b?", "a\\b", "日本",
        "z\u{10FFFF}",
        "ab%c_d", "it's", "\"quoted\"", "🇩🇪 flag",
    ]
    static let whole: [Int64?] = [nil, 0, 1, 2, 3, -1, 1000, .max, .min]
    static let doubles: [Double?] = [nil, 0, 1, 2.5, -1, 1e300, .infinity, -.infinity, .nan]
    static let decimals: [String?] = [
        nil, "0", "1", "2.5", "-1", "12345678901234567890123456789012345678", "0.1",
    ]
    static let dates: [Date?] = [
        nil, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1.5),
        Date(timeIntervalSince1970: -5_000_000_000), .distantFuture,
    ]
    static let uuids: [UUID?] = [
        nil, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        UUID(uuidString: "00000000-0000-0000-0000-000000000001"),
    ]
    static let urls: [URL?] = [
        nil, URL(string: "https://example.com/a"), URL(string: "https://example.com/b"),
    ]
    static let blobs: [Data?] = [nil, Data(), Data([1, 2, 3])]

    init(seed: UInt64, itemCount: Int = 60) throws {
        store = try QueryStore(model: QueryModel.make())
        var random = SeededGenerator(seed: seed)
        rooms = (0..<3).map { _ in store.insert("Transaction") }
        boxes = (0..<6).map { _ in store.insert("Box") }
        tags = (0..<5).map { _ in store.insert("Tag") }
        for room in rooms { room.setValue(Self.pick(Self.texts, &random), forKey: "name") }
        for box in boxes {
            box.setValue(Self.pick(Self.texts, &random), forKey: "name")
            box.setValue(Int.random(in: 0..<4, using: &random), forKey: "level")
            box.setValue(Self.pick(rooms + [nil], &random), forKey: "room")
        }
        for (rank, tag) in tags.enumerated() {
            tag.setValue(Self.pick(Self.texts, &random), forKey: "label")
            tag.setValue(rank, forKey: "rank")
        }
        for number in 0..<itemCount { items.append(makeItem(number, &random)) }
        try store.save()
    }

    private func makeItem(_ number: Int, _ random: inout SeededGenerator) -> NSManagedObject {
        let entity = ["Item", "Item", "SpecialItem", "OtherItem"].randomElement(using: &random)
        let item = store.insert(entity ?? "Item")
        item.setValue(number, forKey: "number")
        item.setValue(Self.pick(Self.texts, &random), forKey: "name")
        item.setValue(Self.pick(Self.texts, &random), forKey: "order")
        item.setValue(Self.pick([nil, 0, 1, 2, 3, -1, 32767], &random), forKey: "group")
        item.setValue(Self.pick([nil, true, false], &random), forKey: "flag")
        item.setValue(Self.pick(Self.doubles, &random), forKey: "weight")
        item.setValue(Self.pick([nil, Float(0.1), Float(1), Float(2.5)], &random), forKey: "size")
        item.setValue(
            Self.pick(Self.decimals, &random).map { NSDecimalNumber(string: $0) }, forKey: "price")
        item.setValue(Self.pick(Self.dates, &random), forKey: "date")
        item.setValue(Self.pick(Self.blobs, &random), forKey: "data")
        item.setValue(Self.pick(Self.uuids, &random), forKey: "uuid")
        item.setValue(Self.pick(Self.urls, &random), forKey: "url")
        item.setValue(Self.pick(boxes + [nil], &random), forKey: "box")
        let chosen = tags.filter { _ in Bool.random(using: &random) }
        item.setValue(NSSet(array: chosen), forKey: "tags")
        if !items.isEmpty {
            item.setValue(Self.pick(items + [nil, nil], &random), forKey: "parent")
        }
        return item
    }

    static func pick<T>(_ values: [T?], _ random: inout SeededGenerator) -> T? {
        values.randomElement(using: &random) ?? nil
    }

    /// The numbers of the items that the store finds, in order.
    func found(_ predicate: NSPredicate?) throws -> [Int64] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try store.fetch(request).map(Self.number)
    }

    /// The numbers of the items that match the predicate in memory, in order.
    func expected(_ predicate: NSPredicate) -> [Int64] {
        items.filter { predicate.evaluate(with: $0) }.map(Self.number)
    }

    static func number(_ item: NSManagedObject) -> Int64 {
        (item.value(forKey: "number") as? NSNumber)?.int64Value ?? -1
    }
}
