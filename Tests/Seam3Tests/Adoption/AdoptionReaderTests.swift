import CoreData
import CoreDataFiles
import SeamSQLite
import Testing

@testable import Seam3

/// Compares adopted files with an independent reader. The script in `Tests/AdoptionReader` is in
/// another language, shares no code with the package, and knows only Core Data's tables.
///
/// If `SEAM3_PUBLIC_STORES` is the path of a folder, the Core Data stores in it are compared, too.
@Suite("An adopted file and an independent reader", .tags(.existingDataIsAdopted))
struct AdoptionReaderTests {
    /// Treats the values of transformable attributes as bytes, because their classes are
    /// unavailable.
    final class BytesTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { value }
        override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    }

    /// The file's model, adapted so that a store accepts any model: nothing is synced, and
    /// transformable values are bytes.
    private func model(of url: URL, in folder: TestFolder) throws -> NSManagedObjectModel {
        let copies = folder.url.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        let file = try CoreDataFile(
            copy: FileKind.copy(url, to: copies), original: url, fallback: NSManagedObjectModel())
        let name = "AdoptionReaderBytes"
        ValueTransformer.setValueTransformer(
            BytesTransformer(), forName: NSValueTransformerName(name))
        for entity in file.model.entities {
            entity.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = name
            }
        }
        return file.model
    }

    private func compare(_ url: URL) throws {
        let lines = try PythonScript("reader.py").lines([url.path])
        let folder = try TestFolder()
        let adapted = try model(of: url, in: folder)
        let adoption = try #require(try SMStore.adoptFile(at: url, model: adapted))
        #expect(
            adoption.leftOut.allSatisfy {
                $0.reasons == ["the file of the external data is missing"]
                    || $0.reasons == ["its destination is not in the file"]
                    || $0.reasons == ["one of the two objects is not in the file"]
            }, "\(adoption.leftOut)")
        let stack = try StoreStack(at: url, model: adapted)
        let found = try StoreDump(stack).lines
        #expect(lines.count == found.count)
        let (missing, added) = (Set(lines).subtracting(found), Set(found).subtracting(lines))
        #expect(missing.sorted().prefix(5).map { $0 } == [], "\(url.lastPathComponent)")
        #expect(added.sorted().prefix(5).map { $0 } == [], "\(url.lastPathComponent)")
        #expect(try stack.store.checkInvariants().isEmpty)
        try stack.close()
    }

    @Test("have the same objects, values and relationships", .enabled(if: PythonScript.canRun))
    func fixture() throws {
        let folder = try TestFolder()
        _ = try CoreDataFixture(at: folder.store)
        do {
            let connection = try SQLiteConnection(path: folder.store.path)
            try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            try connection.execute(
                "INSERT INTO Z_MODELCACHE VALUES (?)",
                [.blob(CompiledModelArchive(CoreDataFixture.model()).packed)])
        }
        try compare(folder.store)
    }

    private static let publicStores: [String] = {
        guard let path = ProcessInfo.processInfo.environment["SEAM3_PUBLIC_STORES"],
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return [] }
        return names.sorted().filter { name in
            ["sqlite", "wiredatabase", "store", "storedata"].contains { name.hasSuffix("." + $0) }
        }.map { path + "/" + $0 }
    }()

    @Test(
        "have the same for stores that Apple's Core Data wrote",
        .enabled(if: PythonScript.canRun && !publicStores.isEmpty), arguments: publicStores)
    func publicStore(path: String) throws {
        let folder = try TestFolder()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: folder.store.path + suffix)
        }
        try compare(folder.store)
    }
}
