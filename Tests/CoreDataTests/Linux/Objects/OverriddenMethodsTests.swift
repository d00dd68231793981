import FoundationGaps
import Testing

@testable import CoreData

// These classes belong to no entity, because only their methods matter.

private final class Silent: NSManagedObject {}

private class Writer: NSManagedObject {
    override func willSave() { name = "written" }

    var name = ""
}

private final class Heir: Writer {
    override func didSave() { name = "saved" }
}

private final class Checker: NSManagedObject {
    override func validateValue(
        _ value: UnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {
        value.pointee = nil
    }
}

@Suite("Which methods a class overrides")
struct OverriddenMethodsTests {
    @Test("A class without methods of its own overrides none")
    func none() {
        #expect(OverriddenMethods(of: NSManagedObject.self).isEmpty)
        #expect(OverriddenMethods(of: Silent.self).isEmpty)
    }

    @Test("An override is seen, and that of a superclass too")
    func overrides() {
        #expect(OverriddenMethods(of: Writer.self) == .willSave)
        #expect(OverriddenMethods(of: Heir.self) == [.willSave, .didSave])
        #expect(OverriddenMethods(of: Checker.self) == .validateValue)
    }
}
