import CoreData
import Testing

@testable import Seam3

@Suite("The layers of a waiting change") struct ChangeLayersTests {
    private func values(_ values: [String: SQLiteValue]) -> PropertyValues {
        PropertyValues(values)
    }

    /// A title that was "a", "b" when the first request sent revision 1, and then "c".
    private var twice: ChangeLayers {
        var layers = ChangeLayers(values(["title": .text("a")]), .edit, revision: 1)
        layers.note(values(["title": .text("b")]), .edit, revision: 2, sent: 1)
        return layers
    }

    private let now = PropertyValues(["title": .text("c"), "note": .text("n")])

    @Test("a change before any request keeps the first value") func oneLayer() {
        var layers = ChangeLayers(values(["title": .text("a")]), .edit, revision: 1)
        layers.note(values(["title": .text("b"), "note": .null]), .edit, revision: 2, sent: nil)
        #expect(layers.layers.count == 1)
        #expect(layers.base == values(["title": .text("a"), "note": .null]))
    }

    @Test("a change after a request begins a layer, and the base stays") func layerAfterRequest() {
        #expect(twice.layers.count == 2)
        #expect(twice.base == values(["title": .text("a")]))
    }

    @Test("the layers tell what each request has sent") func versions() {
        #expect(twice.version(at: 0, current: now)["title"] == .text("a"))
        #expect(twice.version(at: 1, current: now)["title"] == .text("b"))
        #expect(twice.version(at: 2, current: now)["title"] == .text("c"))
        #expect(twice.version(at: 1, current: now)["note"] == .text("n"))
    }

    @Test("what held references had is part of a request's version") func held() {
        let request = SentRequest(revision: 1, held: values(["list": .null]))
        let entry = OutboxEntry(
            pk: 1, entity: 1, recordName: "r", kind: .update, state: .waiting, revision: 2,
            refusalCount: 0,
            changes: twice, requests: [request], resend: [], systemFields: nil,
            storedEdits: nil, wasSent: true, followsEnd: false)
        let current = now.adding(values(["list": .text("l")]))
        #expect(entry.version(of: request, current: current)["list"] == .null)
        #expect(entry.hasSent(.text("b"), of: "title", current: current))
        #expect(!entry.hasSent(.text("c"), of: "title", current: current))
    }

    @Test("a value that is back is no change, unless it was sent in between") func takenBack() {
        var layers = ChangeLayers(values(["title": .text("a")]), .edit, revision: 1)
        layers.takeBack(["title"]) { $1 == .text("a") }
        #expect(layers.isEmpty)
        var sent = ChangeLayers(values(["title": .text("a")]), .edit, revision: 1)
        sent.note(values(["title": .text("b")]), .edit, revision: 2, sent: 1)
        sent.takeBack(["title"]) { $1 == .text("a") }
        #expect(sent == twice)
    }

    @Test("an acknowledgment removes the changes that were sent, and no later ones")
    func acknowledged() {
        var layers = twice
        layers.acknowledge(1, held: PropertyValues(), isNew: false) { _, _ in false }
        #expect(layers.base == values(["title": .text("b")]))
        #expect(layers.edits() == ["title"])
        layers.acknowledge(2, held: PropertyValues(), isNew: false) { _, _ in false }
        #expect(layers.isEmpty)
    }

    @Test("what was held back stays after an acknowledgment, as an edit only if it was one")
    func heldAfterAcknowledgment() {
        var layers = ChangeLayers(values(["list": .text("k")]), .other, revision: 1)
        layers.acknowledge(1, held: values(["list": .text("k")]), isNew: false) { _, _ in false }
        #expect(layers.base == values(["list": .text("k")]))
        #expect(layers.edits().isEmpty)
        var new = ChangeLayers()
        new.acknowledge(1, held: values(["list": .null]), isNew: true) { _, _ in false }
        #expect(new.edits() == ["list"])
    }

    @Test("a nil that follows a sent edit is no edit") func nilAfterEdit() {
        var layers = ChangeLayers(values(["list": .text("a")]), .edit, revision: 1)
        layers.note(values(["list": .text("b")]), .deletion, revision: 2, sent: 1)
        #expect(layers.edits(after: 1).isEmpty)
        #expect(layers.edits() == ["list"])
        #expect(layers.unsent("list", because: .deletion, sent: 1) == .text("b"))
        #expect(layers.unsent("list", because: .deletion, sent: 2) == nil)
    }

    @Test("a change by nobody does not hide an edit that was not sent, unless that was reverted")
    func automaticAfterEdit() {
        var layers = ChangeLayers(values(["list": .text("a")]), .edit, revision: 1)
        layers.note(values(["list": .text("b")]), .other, revision: 2, sent: nil)
        #expect(layers.edits() == ["list"])
        var reverted = ChangeLayers(values(["list": .text("a")]), .edit, revision: 1)
        reverted.note(values(["list": .text("a")]), .other, revision: 2, sent: nil)
        #expect(reverted.edits().isEmpty)
    }

    @Test("an edit that was not sent goes with the destination that it has set")
    func deletionAfterEdit() {
        var layers = ChangeLayers(values(["list": .text("a")]), .edit, revision: 1)
        layers.note(values(["list": .text("b")]), .deletion, revision: 2, sent: nil)
        #expect(layers.edits().isEmpty)
        #expect(layers.cause(of: "list") == .deletion)
    }

    @Test("a deletion keeps all values, and undoing it leaves the differences") func removal() {
        var layers = twice
        layers.note(now, .removal, revision: 3, sent: 2)
        #expect(layers.replaced == values(["title": .text("a"), "note": .text("n")]))
        #expect(layers.version(at: 2, current: PropertyValues()) == now)
        layers.undoRemoval(.edit) { name, value in name == "note" && value == .text("n") }
        #expect(layers.names == ["title"])
        #expect(layers.edits(after: 2) == ["title"])
    }

    @Test("layers, causes, unknown values and unread names are read as they were stored")
    func coding() {
        var layers = twice
        var unknown = PropertyValues()
        unknown.addUnknown(["old"])
        layers.note(unknown, .other, revision: 3, sent: 2)
        layers.note(now, .removal, revision: 4, sent: 3)
        layers.noteUnread(["new"])
        #expect(ChangeLayers(stored: layers.stored) == layers)
        #expect(ChangeLayers(stored: .null) == ChangeLayers())
    }

    @Test("default content is read as it was stored, until the object is acknowledged or deleted")
    func seed() {
        #expect(!ChangeLayers.insertion(.other).isEmpty)
        #expect(ChangeLayers(stored: ChangeLayers.insertion(.other).stored) == .insertion(.other))
        var layers = twice
        layers.isSeed = true
        #expect(ChangeLayers(stored: layers.stored) == layers)
        var sent = layers
        let held = values(["list": .null, "title": .text("b")])
        sent.acknowledge(1, held: held, isNew: true) { _, _ in false }
        #expect(!sent.isSeed && sent.edits() == ["title"] && sent.names == ["list", "title"])
        layers.note(now, .removal, revision: 3, sent: 2)
        #expect(!layers.isSeed)
    }

    @Test("damaged layers are not read") func damage() throws {
        let data = try #require(twice.stored.blob)
        for count in 1..<data.count where ChangeLayers(stored: .blob(data.prefix(count))) != nil {
            // The first layer may be left.
            #expect(ChangeLayers(stored: .blob(data.prefix(count)))?.layers.count == 1)
        }
        #expect(ChangeLayers(stored: .blob(Data([1, 2, 3]))) == nil)
        #expect(ChangeLayers(stored: .text("?")) == nil)
    }

    @Test("requests are read as they were stored, and the oldest go") func requests() {
        let held = SentRequest(
            revision: 2, held: values(["list": .text("l")]), isForgotten: true)
        let deletion = SentRequest(revision: 3, isDeletion: true, isRefused: true)
        let requests = [held, deletion]
        #expect([SentRequest](stored: requests.stored) == requests)
        #expect([SentRequest](stored: .null).isEmpty)
        let many = (0..<20).reduce(into: [SentRequest]()) {
            $0 = $0.adding(SentRequest(revision: Int64($1)))
        }
        #expect(many.count == 16)
        #expect(many.first?.revision == 4)
        #expect(many.lastRevision == 19)
    }
}
