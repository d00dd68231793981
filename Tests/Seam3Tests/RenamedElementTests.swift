import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A new version of the model renames elements of a composite attribute. Devices with the former version stay in use.
@Suite("An element of a composite attribute that is renamed", .allMigrationKinds)
struct RenamedElementTests {
    let cloud = LocalCloud.inMemory()

    /// The name of something in a version of the model, and its renaming identifier.
    struct Name: Sendable, ExpressibleByStringLiteral {
        let name: String
        var identifier: String?

        init(stringLiteral name: String) { self.name = name }

        init(_ name: String, from identifier: String) {
            self.name = name
            self.identifier = identifier
        }
    }

    /// The names of the attribute, its elements, and the element of the composite element.
    struct Names: Sendable {
        var place: Name = "place"
        var label: Name = "label"
        var number: Name = "number"
        var area: Name = "area"
        var code: Name = "code"

        func model(_ change: ([NSAttributeDescription]) -> [NSAttributeDescription] = { $0 })
            -> NSManagedObjectModel
        {
            func attribute(_ name: Name, _ type: NSAttributeType) -> NSAttributeDescription {
                let attribute = NSAttributeDescription(name.name, type)
                attribute.renamingIdentifier = name.identifier
                return attribute
            }
            func composite(_ name: Name, _ elements: [NSAttributeDescription])
                -> NSAttributeDescription
            {
                let attribute = NSAttributeDescription.composite(name.name, elements)
                attribute.renamingIdentifier = name.identifier
                return attribute
            }
            let elements = change([
                attribute(label, .stringAttributeType), attribute(number, .integer64AttributeType),
                composite(area, [attribute(code, .stringAttributeType)]),
            ])
            return NSManagedObjectModel(
                NSEntityDescription(
                    "Item",
                    [
                        composite(place, elements),
                        NSAttributeDescription("title", .stringAttributeType),
                    ]))
        }

        func value(_ label: String, _ number: Int, _ code: String) -> [String: Any] {
            [
                self.label.name: label, self.number.name: number,
                area.name: [self.code.name: code] as [String: Any],
            ]
        }
    }

    static let first = Names()
    /// The renamed versions, each with those through which it was reached.
    static let versions: [[Names]] = [
        [Names(label: Name("text", from: "label"))],
        [Names(area: Name("zone", from: "area"))],
        [Names(code: Name("key", from: "code"))],
        [Names(place: Name("spot", from: "place"), label: Name("text", from: "label"))],
        [
            Names(
                place: Name("spot", from: "place"), area: Name("zone", from: "area"),
                code: Name("key", from: "code"))
        ],
        // The names are exchanged.
        [Names(label: Name("number", from: "label"), number: Name("label", from: "number"))],
        // The identifier is removed, names the previous version, or remains the first name.
        [Names(label: Name("text", from: "label")), Names(label: "text")],
        [Names(label: Name("text", from: "label")), Names(label: Name("line", from: "text"))],
        [Names(label: Name("text", from: "label")), Names(label: Name("line", from: "label"))],
        [
            Names(area: Name("zone", from: "area"), code: Name("key", from: "code")),
            Names(area: "zone", code: "key"),
        ],
        [
            Names(place: Name("spot", from: "place"), label: Name("text", from: "label")),
            Names(place: "spot", label: "text"),
        ],
        [
            Names(label: Name("text", from: "label")), Names(label: "text"),
            Names(place: Name("spot", from: "place"), label: "text"),
        ],
        // The identifier is that of nothing, or comes later than the name.
        [Names(label: Name("label", from: "text"))],
    ]

    private func item<T>(on device: Device, _ body: (NSManagedObject) throws -> T) throws -> T {
        try device.edit { context in
            context.refreshAllObjects()
            return try body(try #require(Device.all("Item", in: context).first))
        }
    }

    private func expect(
        _ names: Names, _ label: String, _ number: Int, _ code: String, on device: Device,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let place = try item(on: device) { $0.value(forKey: names.place.name) as? NSDictionary }
        #expect(
            place == names.value(label, number, code) as NSDictionary,
            sourceLocation: sourceLocation)
    }

    private func set(
        _ names: Names, _ label: String, _ number: Int, _ code: String, on device: Device
    ) throws {
        try item(on: device) {
            $0.setValue(names.value(label, number, code), forKey: names.place.name)
        }
    }

    private func pair() async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: .mergeByProperty, model: Self.first.model())
        let b = try Device("b", on: cloud, policy: .mergeByProperty, model: Self.first.model())
        try a.add("Item", ["title": "t", "place": Self.first.value("old", 1, "c")])
        try await Device.settle(a, b)
        return (a, b)
    }

    @Test(
        "keeps its value, and devices with either version follow each other's edits",
        arguments: versions.indices)
    func edits(number: Int) async throws {
        let (a, b) = try await pair()
        let versions = Self.versions[number]
        for version in versions { try a.relaunch(model: version.model()) }
        let last = try #require(versions.last)
        try expect(last, "old", 1, "c", on: a)
        try await Device.settle(a, b)
        try expect(last, "old", 1, "c", on: a)
        try set(Self.first, "b's", 2, "d", on: b)
        try await Device.settle(b, a)
        try expect(last, "b's", 2, "d", on: a)
        try set(last, "a's", 3, "e", on: a)
        try await Device.settle(a, b)
        #expect(try a.store.checkInvariants() == [])
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        for version in versions { try b.relaunch(model: version.model()) }
        try await Device.settle(a, b)
        try expect(last, "a's", 3, "e", on: b)
    }

    @Test(
        "keeps its field, so that fresh installs with the renaming identifier read it",
        arguments: 0...5)
    func freshInstall(number: Int) async throws {
        let (a, b) = try await pair()
        let version = Self.versions[number][0]
        try a.relaunch(model: version.model())
        try set(version, "a's", 3, "e", on: a)
        let fresh = try Device("fresh", on: cloud, policy: .mergeByProperty, model: version.model())
        try await Device.settle(a, b, fresh)
        try expect(version, "a's", 3, "e", on: fresh)
        try expect(Self.first, "a's", 3, "e", on: b)
        let record = try #require(await RawClient(cloud).records(ofType: "Item").first)
        #expect(
            Set(record.valueKeys) == ["title", "place_label", "place_number", "place_area_code"])
    }

    @Test("takes the edits along that wait when the model changes", arguments: versions.indices)
    func waiting(number: Int) async throws {
        let (a, b) = try await pair()
        try set(Self.first, "a's", 3, "e", on: a)
        try item(on: b) { $0.setValue("new", forKey: "title") }
        let versions = Self.versions[number]
        for version in versions { try a.relaunch(model: version.model()) }
        let last = try #require(versions.last)
        try await Device.settle(b, a, b)
        try expect(last, "a's", 3, "e", on: a)
        #expect(try item(on: a) { $0.value(forKey: "title") as? String } == "new")
        for version in versions { try b.relaunch(model: version.model()) }
        try await Device.settle(a, b)
        try expect(last, "a's", 3, "e", on: b)
    }

    @Test("leaves the others alone: a removed element goes, and a new one is nil")
    func othersChange() async throws {
        let (a, _) = try await pair()
        let names = Names(label: Name("text", from: "label"))
        try a.relaunch(
            model: names.model { elements in
                elements.filter { $0.name != "number" }
                    + [NSAttributeDescription("count", .integer64AttributeType)]
            })
        let place = try item(on: a) { $0.value(forKey: "place") as? NSDictionary }
        #expect(place == ["text": "old", "area": ["code": "c"]])
    }

    @Test("may get another numeric type, as a field of its own")
    func numericType() async throws {
        let (a, b) = try await pair()
        let names = Names(place: Name("spot", from: "place"), number: Name("count", from: "number"))
        let model = names.model { elements in
            for element in elements where element.name == "count" {
                element.attributeType = .integer32AttributeType
            }
            return elements
        }
        try a.relaunch(model: model)
        try expect(names, "old", 1, "c", on: a)
        try set(names, "a's", 3, "e", on: a)
        try await Device.settle(a, b)
        try expect(Self.first, "a's", 3, "e", on: b)
    }
}
