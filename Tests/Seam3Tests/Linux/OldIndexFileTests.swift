import CoreData
import CoreDataFiles
import SeamSQLite
import Testing

@testable import Seam3

@Suite("The indexes that models had before fetch indexes") struct OldIndexFileTests {
    private static let contents = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Place">
                <attribute name="city" optional="YES" attributeType="String" indexed="YES"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="zip" optional="YES" attributeType="String"/>
                <relationship name="owner" optional="YES" maxCount="1" indexed="YES" deletionRule="Nullify" destinationEntity="Owner" inverseName="places" inverseEntity="Owner"/>
                <compoundIndexes>
                    <compoundIndex><index value="city"/><index value="zip"/></compoundIndex>
                </compoundIndexes>
            </entity>
            <entity name="Owner">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="places" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Place" inverseName="owner" inverseEntity="Place"/>
            </entity>
        </model>
        """

    /// The columns of each index on an entity's table.
    private func indexes(_ model: NSManagedObjectModel) throws -> Set<String> {
        let folder = try TestFolder()
        let file = StoreFile(url: folder.store, isReadOnly: false)
        let (database, _) = try file.open(
            model: model, configuration: nil, storeType: SMStore.type)
        let table = try #require(database.schema.entity(named: "Place")).table.name
        let names = try database.connection.rows("PRAGMA index_list(\(table))") { $0.text(at: 1) }
        return Set(
            try names.map { name in
                try database.connection.rows("PRAGMA index_info(\(name.sqlIdentifier))") {
                    $0.text(at: 2)
                }.joined(separator: ",")
            })
    }

    @Test("are in the file, whether the model was built in code or compiled")
    func indexes() throws {
        let folder = try TestFolder()
        let source = folder.url.appendingPathComponent("Places.xcdatamodel")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: source.appendingPathComponent("contents"))
        let model = try NSManagedObjectModel(readingFrom: source)
        let compiled = folder.url.appendingPathComponent("Places.mom")
        try CompiledModelArchive(model).data.write(to: compiled)
        let found = try indexes(model)
        #expect(found == (try indexes(NSManagedObjectModel(readingFrom: compiled))))
        #expect(found.contains { $0.hasPrefix("city") && !$0.contains("zip") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("city,zip") }, "\(found)")
        let plain = try #require(model.copy() as? NSManagedObjectModel)
        plain.entitiesByName["Place"]?.indexes = []
        #expect(found.isStrictSuperset(of: try indexes(plain)))
    }
}
