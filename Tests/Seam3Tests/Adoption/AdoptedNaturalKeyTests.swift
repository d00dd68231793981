import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import Testing

/// Tags with articles in files of Core Data, of which each device has one.
@Suite("The natural keys of adopted objects", .tags(.existingDataIsAdopted))
struct AdoptedNaturalKeyTests {
    let cloud = LocalCloud.inMemory()

    /// - Parameter hasKey: Whether tags have a natural key. Apps that used Core Data's own store had none.
    static func model(hasKey: Bool) -> NSManagedObjectModel {
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        if hasKey { tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"] }
        let article = NSEntityDescription(
            "Article", [NSAttributeDescription("name", .stringAttributeType)])
        if hasKey { article.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"] }
        NSRelationshipDescription.join((article, "tags", 0), (tag, "articles", 0))
        NSRelationshipDescription.join((article, "chief", 1), (tag, "led", 0))
        return NSManagedObjectModel(tag, article)
    }

    func file(_ tags: [String], hadKey: Bool) throws -> AdoptedFile {
        var article = CoreDataFileWriter.Row("Article", 1, ["name": "article"])
        article.toManys = ["tags": tags.indices.map { Int64($0 + 1) }]
        article.toOnes = ["chief": 1]
        return try AdoptedFile(
            Self.model(hasKey: hadKey),
            tags.enumerated().map { place, name in
                CoreDataFileWriter.Row("Tag", Int64(place + 1), ["name": .text(name)])
            } + [article])
    }

    func open(_ file: AdoptedFile, _ device: String) throws -> StoreStack {
        try file.open(
            Self.model(hasKey: true),
            [
                SMStore.SMStoreContainerOption: CloudPath.current.container(
                    on: cloud, device: device)
            ])
    }

    @Test("let two devices that adopt the same objects have each once", arguments: [true, false])
    func twoDevices(hadKey: Bool) async throws {
        let files = try [["home", "work"], ["work", "home"]].map { try file($0, hadKey: hadKey) }
        defer { withExtendedLifetime(files) {} }
        let stacks = try zip(files, ["phone", "tablet"]).map { try open($0, $1) }
        for stack in stacks + stacks { try await stack.store.sync() }
        for stack in stacks {
            #expect(try stack.names("Tag").sorted() == ["home", "work"])
            #expect(try stack.names("Article") == ["article"])
            #expect(try stack.members("Article", "article", "tags") == ["home", "work"])
            #expect(try stack.members("Article", "article", "chief").count == 1)
            #expect(try stack.store.checkInvariants().isEmpty)
        }
        #expect(try await RawClient(cloud).records().count == 5)
    }

    @Test("are told by the report if several objects have the same, and none is lost")
    func duplicates() async throws {
        let file = try file(["work", "work", "home"], hadKey: false)
        let adoption = try SMStore.adoptFile(at: file.url, model: Self.model(hasKey: true))
        let entry = try #require(
            adoption?.report.first { $0.entity == "Tag" && $0.property == nil })
        #expect(entry.takenCount == 3)
        #expect(entry.reasons.contains { $0.hasPrefix("1 with the same natural key") })
        let stack = try open(file, "phone")
        try await stack.store.sync()
        #expect(try stack.names("Tag").sorted() == ["home", "work", "work"])
        #expect(try await RawClient(cloud).records(ofType: "Tag").count == 3)
    }
}
