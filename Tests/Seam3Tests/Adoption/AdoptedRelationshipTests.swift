import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite
import Testing

@Suite("The relationships of an adopted file", .tags(.existingDataIsAdopted))
struct AdoptedRelationshipTests {
    /// Albums with photos, in a relationship without an inverse, which subentities inherit.
    private func albums(isOrdered: Bool, isSynced: Bool = false) -> NSManagedObjectModel {
        let name = { NSAttributeDescription("name", .stringAttributeType) }
        let album = NSEntityDescription("Album", [name()])
        let smart = NSEntityDescription("SmartAlbum")
        album.subentities = [smart]
        let photo = NSEntityDescription("Photo", [name()])
        let video = NSEntityDescription("Video")
        photo.subentities = [video]
        let photos = NSRelationshipDescription()
        photos.name = "photos"
        photos.destinationEntity = photo
        photos.maxCount = 0
        photos.isOrdered = isOrdered
        let cover = NSRelationshipDescription()
        cover.name = "cover"
        cover.destinationEntity = photo
        cover.maxCount = 1
        for relationship in [photos, cover] {
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
            if !isSynced { relationship.userInfo = ["SMSynced": "NO"] }
        }
        album.properties += [photos, cover]
        return NSManagedObjectModel(album, smart, photo, video)
    }

    private func rows() -> [CoreDataFileWriter.Row] {
        var holiday = CoreDataFileWriter.Row("Album", 1, ["name": "holiday"])
        holiday.toManys = ["photos": [3, 1, 2]]
        holiday.toOnes = ["cover": 2]
        var work = CoreDataFileWriter.Row("SmartAlbum", 2, ["name": "work"])
        work.toManys = ["photos": [4]]
        return (1...4).map { number in
            CoreDataFileWriter.Row(
                number == 2 ? "Video" : "Photo", Int64(number), ["name": .text("p\(number)")])
        } + [holiday, work]
    }

    @Test(
        "without an inverse are found in the destination's table, in order if they have one",
        arguments: [true, false])
    func withoutInverse(isOrdered: Bool) throws {
        let file = try AdoptedFile(albums(isOrdered: isOrdered), rows())
        let adoption = try SMStore.adoptFile(at: file.url, model: file.model)
        #expect(adoption?.leftOut == [])
        let stack = try StoreStack(at: file.url, model: albums(isOrdered: isOrdered))
        let expected = isOrdered ? ["p3", "p1", "p2"] : ["p1", "p2", "p3"]
        #expect(try stack.members("Album", "holiday", "photos") == expected)
        #expect(try stack.members("Album", "work", "photos") == ["p4"])
        #expect(try stack.members("Album", "holiday", "cover") == ["p2"])
        #expect(try stack.store.checkInvariants().isEmpty)
    }

    @Test("without an inverse are refused if they are to be synced, with both remedies")
    func refusal() throws {
        let file = try AdoptedFile(albums(isOrdered: false, isSynced: true), rows())
        let error = #expect(throws: SMStoreError.self) {
            try SMStore.adoptFile(at: file.url, model: file.model)
        }
        let text = error?.description ?? ""
        for word in ["Album.photos", "Album.cover", "inverse", "SMSynced = NO"] {
            #expect(text.contains(word), "\(text)")
        }
    }

    /// People with desks, one each.
    private func desks() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", [NSAttributeDescription("name", .stringAttributeType)])
        let desk = NSEntityDescription(
            "Desk", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((person, "desk", 1), (desk, "person", 1))
        return NSManagedObjectModel(person, desk)
    }

    @Test("one to one agree afterward, and the report names what only one side had")
    func halfSet() throws {
        func row(_ entity: String, _ key: Int64, _ name: String, _ toOnes: [String: Int64])
            -> CoreDataFileWriter.Row
        {
            var row = CoreDataFileWriter.Row(entity, key, ["name": .text(name)])
            row.toOnes = toOnes
            return row
        }
        let file = try AdoptedFile(
            desks(),
            [
                // Ada and d1 refer to each other, so Bob, who also refers to d1, loses it.
                row("Person", 1, "ada", ["desk": 1]), row("Desk", 1, "d1", ["person": 1]),
                row("Person", 2, "bob", ["desk": 1]),
                // Only one end is set: Cy's, and d4's.
                row("Person", 3, "cy", ["desk": 3]), row("Desk", 3, "d3", [:]),
                row("Person", 4, "di", [:]), row("Desk", 4, "d4", ["person": 4]),
                // Two people refer to the same desk, which refers to nobody.
                row("Person", 5, "ed", ["desk": 5]), row("Person", 6, "flo", ["desk": 5]),
                row("Desk", 5, "d5", [:]),
            ])
        let adoption = try SMStore.adoptFile(at: file.url, model: desks())
        let stack = try StoreStack(at: file.url, model: desks())
        let desksOf = try ["ada", "bob", "cy", "di", "ed", "flo"].map {
            try stack.members("Person", $0, "desk").first ?? "-"
        }
        let peopleOf = try ["d1", "d3", "d4", "d5"].map {
            try stack.members("Desk", $0, "person").first ?? "-"
        }
        // The relationships are processed in the order of their names, that of desks first.
        #expect(desksOf == ["d1", "-", "d3", "d4", "d5", "-"])
        #expect(peopleOf == ["ada", "cy", "di", "ed"])
        #expect(try stack.store.checkInvariants().isEmpty)
        let lines = (adoption?.report ?? []).map(\.description)
        #expect(
            lines.contains(
                "Person.desk: 6 found, 4 adopted, 1 changed, 2 left out: the other end was not set;"
                    + " its destination has another partner"), "\(lines)")
        #expect(
            lines.contains(
                "Desk.person: 4 found, 4 adopted, 2 changed, 0 left out: the other end was not set"
            ),
            "\(lines)")
    }
}
