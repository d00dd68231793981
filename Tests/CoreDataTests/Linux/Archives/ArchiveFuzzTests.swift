import CoreDataFiles
import SeededRandom
import Testing

@testable import CoreData

/// Damaged archives and models give an error, nil, or a value.
@Suite("Fuzzing of archives and models") struct ArchiveFuzzTests {
    private static let file = URL(fileURLWithPath: "/test.mom")

    private static func archives() throws -> [[UInt8]] {
        let values: [NSObject] = [
            NSArray(array: ["a", 1, ["b", NSNull(), UUID()], Data([1]), Date()]),
            NSDictionary(dictionary: ["a": ["b": 1.5], "c": 2.5]),
            NSSet(array: ["a", 1, NSURL(fileURLWithPath: "/a")]), Box(["a", "b"], Box(["c"])),
        ]
        return try values.map {
            [UInt8](
                try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true))
        } + HostileArchiveTests.hostile.map { [UInt8](KeyedArchiveWriter.archive($0.1)) }
    }

    @Test("of objects") func objects() throws {
        let archives = try Self.archives()
        let slow = FuzzRun("archives of objects", rounds: 3_000).run { random in
            let bytes = random.damaged(
                random.pick(archives) ?? [], with: random.pick(archives) ?? [])
            let data = Data(bytes)
            for classes in [HostileArchiveTests.classes + [Box.self], nil] as [[AnyClass]?] {
                guard let object = _ArchiveDecoder.root(of: classes, in: data) else { continue }
                _ = object.isEqual(object.copy())
                _ = object.description
                _ = object.hash
            }
            _ = BinaryPropertyListReader.isModest(data)
        }
        #expect(slow.isEmpty)
    }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <composite name="Place"><attribute name="x" attributeType="Double"/></composite>
        <entity name="Base" isAbstract="YES">
        <attribute name="name" attributeType="String" defaultValueString="a" minValueString="1"/>
        <attribute name="place" attributeType="Composite" composite="Place"/>
        </entity>
        <entity name="Item" parentEntity="Base" elementID="Old">
        <attribute name="price" attributeType="Decimal" defaultValueString="1.5" optional="YES"/>
        <attribute name="made" attributeType="Date" defaultDateTimeInterval="0"/>
        <attribute name="count" attributeType="Integer 16" minValueString="0" maxValueString="9"/>
        <attribute name="sum" attributeType="Double" derived="YES" derivationExpression="count + 1"/>
        <relationship name="box" destinationEntity="Box" maxCount="1" inverseName="items"/>
        <fetchIndex name="i"><fetchIndexElement property="name" type="Binary"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>
        </uniquenessConstraint></uniquenessConstraints>
        <userInfo><entry key="a" value="b"/></userInfo>
        </entity>
        <entity name="Box">
        <relationship name="items" toMany="YES" destinationEntity="Item" inverseName="box"/>
        <fetchedProperty name="all"><fetchRequest name="f" entity="Item" predicateString="count &gt; 1"/>
        </fetchedProperty>
        </entity>
        <fetchRequest name="f" entity="Item" predicateString="name == $NAME" fetchLimit="3"/>
        <configuration name="c"><memberEntity name="Item"/></configuration>
        </model>
        """

    /// What an app does with a model.
    private static func use(_ contents: ModelContents) {
        let model = NSManagedObjectModel()
        model.adopt(contents)
        _ = model.entityVersionHashesByName
        _ = model.isEqual(model.copy())
        model.freeze()
        for entity in model.entities where !entity.isAbstract {
            let object = NSManagedObject(entity: entity, insertInto: nil)
            for property in entity.properties where !(property is NSFetchedPropertyDescription) {
                _ = object.value(forKey: property.name)
            }
        }
    }

    @Test("of compiled models and mapping models") func compiled() throws {
        let price = ArchiveValue.object(
            "NSDecimalNumber",
            ["NS.mantissa": .data(Data([1, 2])), "NS.length": 1, "NS.exponent": -2])
        let model = [UInt8](
            ArchiveValue.model(
                attribute: [
                    "NSValidationWarnings": ["too odd"], "NSDefaultValue": price,
                    "NSValidationPredicates": [
                        .comparison(.function("sum:", ["a", "b"]), 4, .path("a"))
                    ],
                ],
                entity: [
                    "NSUserInfo": .dictionary([("list", ["a", ["b", ["c"]]]), ("price", price)]),
                    "NSUniqueTuples": [["size"]],
                ]))
        let whole = NSManagedObjectModel()
        whole.adopt(try ModelReader.read(Data(Self.source.utf8), at: Self.file))
        let shop = [UInt8](CompiledModelArchive(whole).data)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mapping = folder.appendingPathComponent("Mapping.cdm")
        let slow = try FuzzRun("compiled models", rounds: 1_500).run { random in
            let bytes = random.damaged(random.pick([model, shop]) ?? [], with: model)
            if let contents = try? CompiledModelReader.read(Data(bytes), at: Self.file) {
                Self.use(contents)
            }
            try Data(bytes).write(to: mapping)
            _ = try? CompiledMappingModelReader.read(from: mapping)
        }
        #expect(slow.isEmpty)
    }

    @Test("of models in XML") func source() throws {
        let words = [
            "<entity name='Item'>", "</entity>", "parentEntity='Item'", "name='a'", "toMany='YES'",
            "attributeType='Decimal'", "defaultValueString='inf'", "<!-- ", "]]>", "&#x0;", "&lt;",
            "inverseName='a'", "<attribute name='size' attributeType='String'/>",
        ]
        let slow = FuzzRun("models in XML", rounds: 1_500).run { random in
            let text = random.damaged(Self.source, words: words)
            if let contents = try? ModelReader.read(Data(text.utf8), at: Self.file) {
                Self.use(contents)
            }
        }
        #expect(slow.isEmpty)
    }
}
