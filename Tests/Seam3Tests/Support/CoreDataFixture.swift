import CoreData
import Seam3
import SeamSQLite

/// A file with the layout of Core Data's own SQLite store, created with SQL: cars and their kinds,
/// people and tags, with each kind of attribute and relationship. A file of Seam3 1 also has its
/// columns.
struct CoreDataFixture {
    static let externalName = "0E0AA3A5-5C1C-4C10-9C16-2A3DCE9B4E7D"
    static let missingName = "2B54D6A4-0C0C-4D0C-8C0C-1C0C0C0C0C0C"
    static let uuid = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"

    static func model() -> NSManagedObjectModel {
        let attribute = { NSAttributeDescription($0, $1) }
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let person = NSEntityDescription(
            "Person",
            [
                attribute("name", .stringAttributeType), attribute("born", .dateAttributeType),
                attribute("id", .UUIDAttributeType), attribute("site", .URIAttributeType), photo,
            ])
        let car = NSEntityDescription(
            "Car",
            [attribute("name", .stringAttributeType), attribute("price", .decimalAttributeType)])
        let sportCar = NSEntityDescription(
            "SportCar",
            [attribute("turbo", .booleanAttributeType), attribute("note", .stringAttributeType)])
        let van = NSEntityDescription("Van", [attribute("note", .stringAttributeType)])
        car.subentities = [sportCar, van]
        let tag = NSEntityDescription("Tag", [attribute("name", .stringAttributeType)])
        NSRelationshipDescription.join((car, "owner", 1), (person, "cars", 0))
        person.relationshipsByName["cars"]?.isOrdered = true
        NSRelationshipDescription.join((person, "favorite", 1), (car, "fan", 1))
        NSRelationshipDescription.join((person, "tags", 0), (tag, "people", 0))
        person.relationshipsByName["tags"]?.isOrdered = true
        return NSManagedObjectModel(person, car, sportCar, van, tag)
    }

    let url: URL

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - url: The file's URL.
    ///   - systemFields: The system fields that Seam3 1 stored for the server's records, by name;
    ///     nil for a file of an app without Seam3.
    init(at url: URL, systemFields: [String: Data]? = nil) throws {
        self.url = url
        let connection = try SQLiteConnection(path: url.path)
        for statement in Self.tables { try connection.execute(statement) }
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["NSStoreType": "SQLite", "appKey": "appValue"], format: .binary,
            options: 0)
        try connection.execute(
            "INSERT INTO Z_METADATA VALUES (1, '11111111-2222-3333-4444-555555555555', ?)",
            [.blob(plist)])
        for statement in Self.rows { try connection.execute(statement) }
        let bytes: [(Int64, Data)] = [
            (1, Data([1, 10, 20, 30])), (2, Data([2]) + Data(Self.externalName.utf8) + Data([0])),
            (3, Data([2]) + Data(Self.missingName.utf8) + Data([0])),
        ]
        for (pk, data) in bytes {
            try connection.execute(
                "UPDATE ZPERSON SET ZPHOTO = ? WHERE Z_PK = ?", [.blob(data), .integer(pk)])
        }
        let uuid = UUID(uuidString: Self.uuid).map { withUnsafeBytes(of: $0.uuid) { Data($0) } }
        try connection.execute("UPDATE ZPERSON SET ZID = ? WHERE Z_PK = 1", [SQLiteValue(uuid)])
        if let systemFields { try Self.addSeam3(systemFields, to: connection) }
        let support = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
        try Data([40, 50]).write(to: support.appendingPathComponent(Self.externalName))
    }

    private static let tables = [
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
        Z_MAX INTEGER)
        """,
        """
        CREATE TABLE ZCAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFAN INTEGER, \
        ZOWNER INTEGER, Z_FOK_OWNER INTEGER, ZTURBO INTEGER, ZPRICE DECIMAL, ZNAME VARCHAR, \
        ZNOTE VARCHAR, ZNOTE1 VARCHAR)
        """,
        """
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZFAVORITE INTEGER, Z1_FAVORITE INTEGER, ZBORN TIMESTAMP, ZNAME VARCHAR, ZID BLOB, \
        ZSITE VARCHAR, ZPHOTO BLOB)
        """,
        """
        CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)
        """,
        """
        CREATE TABLE Z_4TAGS (Z_4PEOPLE INTEGER, Z_5TAGS INTEGER, Z_FOK_5TAGS INTEGER, \
        PRIMARY KEY (Z_4PEOPLE, Z_5TAGS))
        """,
    ]

    private static let rows = [
        """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Car', 0, 4), (2, 'SportCar', 1, 0), (3, 'Van', 1, 0), \
        (4, 'Person', 0, 3), (5, 'Tag', 0, 2)
        """,
        """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFAVORITE, Z1_FAVORITE, ZBORN, ZNAME, ZSITE) \
        VALUES (1, 4, 3, 2, 2, -86400.5, 'Ada', 'https://example.org/ada'), \
        (2, 4, 1, NULL, NULL, NULL, 'Bob', NULL), (3, 4, 1, NULL, NULL, 0, 'Cy', NULL)
        """,
        """
        INSERT INTO ZCAR VALUES (1, 1, 1, NULL, 1, 3072, NULL, 10.11, 'plain', NULL, NULL), \
        (2, 2, 1, 1, 1, 2048, 1, 20, 'sport', 'fast', NULL), \
        (4, 3, 1, NULL, 2, 2048, NULL, NULL, 'van', NULL, 'big')
        """,
        "INSERT INTO ZTAG VALUES (1, 5, 1, 'x'), (2, 5, 1, 'y')",
        "INSERT INTO Z_4TAGS VALUES (1, 1, 3072), (1, 2, 2048), (2, 1, 2048)",
    ]

    /// The additions of Seam3 1: the record of each object, and the unsent changes. Of the tags,
    /// the server has "tag-x", which was changed here, and one that was deleted here.
    private static func addSeam3(
        _ systemFields: [String: Data], to connection: SQLiteConnection
    ) throws {
        for (table, name) in [("ZCAR", "car"), ("ZPERSON", "person"), ("ZTAG", "tag")] {
            try connection.execute("ALTER TABLE \(table) ADD ZSM_LOCALSTORE_RECORDID VARCHAR")
            try connection.execute("ALTER TABLE \(table) ADD ZSM_LOCALSTORE_ENCODEDVALUES BLOB")
            try connection.execute(
                "UPDATE \(table) SET ZSM_LOCALSTORE_RECORDID = '\(name)-' || ZNAME")
            for (record, data) in systemFields {
                try connection.execute(
                    "UPDATE \(table) SET ZSM_LOCALSTORE_ENCODEDVALUES = ?"
                        + " WHERE ZSM_LOCALSTORE_RECORDID = ?", [.blob(data), .text(record)])
            }
        }
        try connection.execute(
            """
            CREATE TABLE ZSM_LOCALSTORE_CHANGESETENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \
            Z_OPT INTEGER, ZSM_LOCALSTORE_CHANGETYPE INTEGER, ZSM_LOCALSTORE_QUEUED INTEGER, \
            ZSM_LOCALSTORE_CHANGEDPROPERTIES VARCHAR, ZSM_LOCALSTORE_ENTITYNAME VARCHAR, \
            ZSM_LOCALSTORE_RECORDID VARCHAR)
            """)
        try connection.execute(
            """
            INSERT INTO ZSM_LOCALSTORE_CHANGESETENTITY VALUES \
            (1, 6, 1, 1, 0, 'name', 'Tag', 'tag-x'), (2, 6, 1, 2, 0, NULL, NULL, 'tag-gone'), \
            (3, 6, 1, 3, 0, NULL, 'Tag', 'tag-y')
            """)
        try connection.execute(
            "INSERT INTO Z_PRIMARYKEY VALUES (6, 'SM_LocalStore_ChangeSetEntity', 0, 3)")
    }
}
