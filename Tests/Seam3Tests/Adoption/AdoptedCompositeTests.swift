import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("The composite attributes of an adopted file", .tags(.existingDataIsAdopted))
struct AdoptedCompositeTests {
    private typealias Row = CoreDataFileWriter.Row

    // MARK: - Values

    /// Values of a type, as the file has them and as objects show them.
    private struct Samples {
        let type: NSAttributeType
        let pairs: [(stored: SQLiteValue, shown: NSObject)]
    }

    private static let archive =
        (try? NSKeyedArchiver.archivedData(
            withRootObject: ["a", "b"] as NSArray, requiringSecureCoding: true)) ?? Data()
    private static let externalName = "0E0AA3A5-5C1C-4C10-9C16-2A3DCE9B4E7D"
    private static let uuid = UUID()

    private static func url(_ text: String) -> NSObject { NSURL(string: text) ?? NSNull() }

    private static let samples: [String: Samples] = [
        "short": Samples(
            type: .integer16AttributeType,
            pairs: [(-32768, -32768 as NSNumber), (0, 0 as NSNumber)]
        ),
        "number": Samples(
            type: .integer32AttributeType, pairs: [(7, 7 as NSNumber), (-1, -1 as NSNumber)]),
        "number64": Samples(
            type: .integer64AttributeType,
            pairs: [(.integer(.max), NSNumber(value: Int64.max)), (1, 1 as NSNumber)]),
        "flag": Samples(
            type: .booleanAttributeType,
            pairs: [(1, NSNumber(value: true)), (0, NSNumber(value: false))]),
        "price": Samples(
            type: .decimalAttributeType,
            pairs: [(.real(0.1), NSDecimalNumber(string: "0.1")), (3, NSDecimalNumber(value: 3))]),
        "ratio": Samples(
            type: .doubleAttributeType, pairs: [(.real(1.5), 1.5 as NSNumber), (0, 0 as NSNumber)]),
        "weight": Samples(
            type: .floatAttributeType, pairs: [(.real(0.5), 0.5 as NSNumber), (2, 2 as NSNumber)]),
        "text": Samples(
            type: .stringAttributeType, pairs: [("é", "é" as NSString), ("", "" as NSString)]),
        "day": Samples(
            type: .dateAttributeType,
            pairs: [
                (.real(1.5), NSDate(timeIntervalSinceReferenceDate: 1.5)),
                (0, NSDate(timeIntervalSinceReferenceDate: 0)),
            ]),
        "bytes": Samples(
            type: .binaryDataAttributeType,
            pairs: [
                (.blob(Data([1, 2])), Data([1, 2]) as NSData), (.blob(Data()), Data() as NSData),
            ]),
        "key": Samples(
            type: .UUIDAttributeType,
            pairs: [
                (.blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }), uuid as NSUUID),
                (
                    .blob(Data(count: 16)),
                    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) as NSUUID
                ),
            ]),
        "link": Samples(
            type: .URIAttributeType,
            pairs: [
                (
                    "https://a.example/b?c=%20",
                    url("https://a.example/b?c=%20")
                ),
                ("x:", url("x:")),
            ]),
        "list": Samples(
            type: .transformableAttributeType,
            pairs: [
                (.blob(archive), ["a", "b"] as NSArray), (.blob(archive), ["a", "b"] as NSArray),
            ]),
    ]

    /// An item with a name and a place, which has an element of each type and an area with a code.
    private static func model() -> NSManagedObjectModel {
        let elements = samples.map { name, samples in
            let element = NSAttributeDescription(name, samples.type)
            if name == "list" { element.valueTransformerName = "NSSecureUnarchiveFromData" }
            return element
        }
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    .composite("place", elements + [.composite("area", texts: "code")]),
                ]))
    }

    @Test(
        "have the values of their elements, whatever the columns' names look like",
        arguments: ElementColumn.allCases)
    func values(column: ElementColumn) throws {
        var rows = [Row("Item", 1, ["name": "none"])]
        var places: [String: NSDictionary] = [:]
        for index in 0...1 {
            var row = Row("Item", Int64(index + 2), ["name": .text("all \(index)")])
            var place: [String: NSObject] = [:]
            for (name, samples) in Self.samples {
                row.values["place." + name] = samples.pairs[index].stored
                place[name] = samples.pairs[index].shown
            }
            row.values["place.area.code"] = .text("c\(index)")
            place["area"] = ["code": "c\(index)"] as NSDictionary
            rows.append(row)
            places["all \(index)"] = place as NSDictionary
        }
        // Each element alone.
        for (name, samples) in Self.samples {
            rows.append(
                Row(
                    "Item", Int64(rows.count + 1),
                    ["name": .text(name), "place." + name: samples.pairs[1].stored]))
            places[name] = [name: samples.pairs[1].shown] as NSDictionary
        }
        let file = try AdoptedFile(Self.model(), rows, elementName: column.name)
        let adoption = try SMStore.adoptFile(at: file.url, model: Self.model())
        #expect(adoption?.leftOut == [])
        #expect(adoption?.report.first { $0.property == "place.area.code" }?.takenCount == 2)
        let found = try StoreStack(at: file.url, model: Self.model()).values(of: "place")
        #expect(Set(found.keys) == Set(places.keys))
        for (name, place) in places {
            #expect(found[name]?.isEqual(place) == true, "\(name): \(found[name] ?? NSNull())")
        }
    }

    @Test("leave out what an element cannot have, and keep the other elements")
    func misfits() throws {
        let file = try AdoptedFile(
            Self.model(),
            [Row("Item", 1, ["name": "i", "place.key": .blob(Data([1])), "place.text": "t"])])
        let adoption = try SMStore.adoptFile(at: file.url, model: Self.model())
        #expect(
            adoption?.leftOut.map(\.description) == [
                "Item.place.key: 1 found, 0 adopted, 0 changed, 1 left out:"
                    + " the value does not have the attribute's type"
            ])
        let found = try StoreStack(at: file.url, model: Self.model()).values(of: "place")
        #expect(found == ["i": ["text": "t"] as NSDictionary])
    }

    @Test("have binary data that is inline or external, and report a file that is missing")
    func externalData() throws {
        let photo = NSAttributeDescription("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let model = NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    .composite(
                        "place", [photo, NSAttributeDescription("text", .stringAttributeType)]),
                ]))
        func reference(_ name: String) -> SQLiteValue {
            .blob(Data([2]) + Data(name.utf8) + Data([0]))
        }
        let file = try AdoptedFile(
            model,
            [
                Row("Item", 1, ["name": "inline", "place.photo": .blob(Data([1, 7]))]),
                Row("Item", 2, ["name": "outside", "place.photo": reference(Self.externalName)]),
                Row(
                    "Item", 3,
                    [
                        "name": "missing", "place.photo": reference(UUID().uuidString),
                        "place.text": "t",
                    ]),
            ])
        let support = file.folder.url.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
        let large = Data(repeating: 3, count: 200_000)
        try large.write(to: support.appendingPathComponent(Self.externalName))
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(adoption?.missingData == ["Item.place.photo"])
        #expect(adoption?.leftOut.map(\.property) == ["place.photo"])
        let found = try StoreStack(at: file.url, model: model).values(of: "place")
        #expect(found["inline"]?.isEqual(["photo": Data([7])] as NSDictionary) == true)
        #expect(found["outside"]?.isEqual(["photo": large] as NSDictionary) == true)
        #expect(found["missing"]?.isEqual(["text": "t"] as NSDictionary) == true)
    }

    // MARK: - Entities

    /// Books and films, which are items with a place; both kinds have a maker of their own.
    private static func family() -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item",
            [
                NSAttributeDescription("name", .stringAttributeType),
                .composite("place", texts: "label"),
            ])
        let book = NSEntityDescription(
            "Book", [NSAttributeDescription.composite("maker", texts: "given", "family")])
        let film = NSEntityDescription(
            "Film", [NSAttributeDescription.composite("maker", texts: "given", "family")])
        item.subentities = [book, film]
        return NSManagedObjectModel(item, book, film)
    }

    @Test(
        "are found for an entity, for those that inherit it, and for siblings with the same elements",
        arguments: ElementColumn.allCases)
    func inheritance(column: ElementColumn) throws {
        var rows: [Row] = []
        for (entity, name) in [("Item", "i"), ("Book", "b"), ("Film", "f"), ("Book", "b2")] {
            var row = Row(entity, Int64(rows.count + 1), ["name": .text(name)])
            row.values["place.label"] = .text("at \(name)")
            if entity != "Item" { row.values["maker.given"] = .text("by \(name)") }
            rows.append(row)
        }
        let file = try AdoptedFile(Self.family(), rows, elementName: column.name)
        let adoption = try SMStore.adoptFile(at: file.url, model: Self.family())
        #expect(adoption?.leftOut == [])
        let stack = try StoreStack(at: file.url, model: Self.family())
        for entity in ["Book", "Film"] {
            for (name, maker) in try stack.values(of: "maker", entity) {
                #expect(maker == ["given": "by \(name)"] as NSDictionary)
            }
        }
        #expect(try stack.values(of: "maker", "Book").count == 2)
        #expect(try stack.values(of: "maker", "Film").count == 1)
        for (name, place) in try stack.values(of: "place") {
            #expect(place == ["label": "at \(name)"] as NSDictionary)
        }
        #expect(try stack.values(of: "place").count == 4)
    }

    @Test("of siblings are told apart by their objects, in whatever order they are numbered")
    func numbers() throws {
        let file = try AdoptedFile(
            Self.family(),
            [
                Row("Book", 1, ["name": "b", "maker.given": "book's"]),
                Row("Film", 2, ["name": "f", "maker.given": "film's"]),
            ])
        for (old, new) in [("", "2"), ("1", ""), ("2", "1")] {
            try file.change("ALTER TABLE ZITEM RENAME ZMAKER_GIVEN\(old) TO ZMAKER_GIVEN\(new)")
        }
        #expect(try SMStore.adoptFile(at: file.url, model: Self.family())?.leftOut == [])
        let stack = try StoreStack(at: file.url, model: Self.family())
        #expect(try stack.values(of: "maker", "Book") == ["b": ["given": "book's"] as NSDictionary])
        #expect(try stack.values(of: "maker", "Film") == ["f": ["given": "film's"] as NSDictionary])
    }

    // MARK: - Versions

    private static func renamed() -> NSManagedObjectModel {
        let text = NSAttributeDescription("remark", .stringAttributeType)
        text.renamingIdentifier = "text"
        let spot = NSAttributeDescription.composite("spot", [text])
        spot.renamingIdentifier = "place"
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item", [NSAttributeDescription("name", .stringAttributeType), spot]))
    }

    private static func named() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    .composite("place", texts: "text"),
                ]))
    }

    @Test(
        "are found if the app's model has renamed them and their elements",
        arguments: [true, false])
    func renamed(keepsModel: Bool) throws {
        let file = try AdoptedFile(
            Self.named(), keepsModel: keepsModel,
            [Row("Item", 1, ["name": "i", "place.text": "t"])])
        #expect(try SMStore.adoptFile(at: file.url, model: Self.renamed())?.leftOut == [])
        let found = try StoreStack(at: file.url, model: Self.renamed()).values(of: "spot")
        #expect(found == ["i": ["remark": "t"] as NSDictionary])
    }

    @Test("are reported if the app's model no longer has an element")
    func removed() throws {
        let file = try AdoptedFile(
            Self.model(), [Row("Item", 1, ["name": "i", "place.text": "t", "place.number": 7])])
        let adoption = try SMStore.adoptFile(at: file.url, model: Self.named())
        #expect(
            adoption?.leftOut.map(\.description) == [
                "Item.place.number: 1 found, 0 adopted, 0 changed, 1 left out:"
                    + " the app's model has no such property"
            ])
        let found = try StoreStack(at: file.url, model: Self.named()).values(of: "place")
        #expect(found == ["i": ["text": "t"] as NSDictionary])
    }

    // MARK: - Sync

    @Test("are sent, arrive on another device, and follow its edits")
    func sync() async throws {
        let cloud = LocalCloud.inMemory()
        var row = Row("Item", 1, ["name": "i", "place.area.code": "c"])
        for (name, samples) in Self.samples {
            row.values["place." + name] = samples.pairs[0].stored
        }
        let file = try AdoptedFile(Self.model(), [row, Row("Item", 2, ["name": "none"])])
        let phone = try Device(
            "phone", on: cloud, model: Self.model(), file: file.url,
            options: [SMStore.SMStoreAdoptionOption: true as NSNumber])
        let tablet = try Device("tablet", on: cloud, model: Self.model())
        func place(_ name: String, on device: Device) throws -> NSDictionary? {
            try device.read { context in
                context.refreshAllObjects()
                return try Device.all("Item", in: context)
                    .first { $0.value(forKey: "name") as? String == name }?
                    .value(forKey: "place") as? NSDictionary
            }
        }
        let adopted = try place("i", on: phone)
        #expect(adopted?["text"] as? String == "é")
        try await Device.settle(phone, tablet)
        #expect(try place("i", on: tablet) == adopted)
        #expect(try place("none", on: tablet) == nil)
        try tablet.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(["area": ["code": "new"]], forKey: "place")
            }
        }
        try await Device.settle(tablet, phone)
        for name in ["i", "none"] {
            #expect(try place(name, on: phone) == ["area": ["code": "new"]] as NSDictionary)
        }
        #expect(try phone.store.checkInvariants().isEmpty)
    }
}
