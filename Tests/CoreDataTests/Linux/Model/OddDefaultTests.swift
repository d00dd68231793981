import CoreData
import FoundationGaps
import Testing

@testable import CoreData

/// Collects the messages of the model readers.
private final class Notes: @unchecked Sendable {
    // Unchecked because a single test uses it, in its own task.
    var list: [ManagedObjectModelFileError] = []
}

@Suite("An odd default of an attribute") struct OddDefaultTests {
    private func attribute(
        _ type: String, _ text: String
    ) throws -> (attribute: NSAttributeDescription, notes: [ManagedObjectModelFileError]) {
        let name = type == "Date" ? "defaultDateTimeInterval" : "defaultValueString"
        let notes = Notes()
        let model = try ModelFileLog.$receiver.withValue({ notes.list.append($0) }) {
            try readModel(
                """
                <entity name='A'>
                <attribute name='a' attributeType='\(type)' \(name)='\(text)'/>
                <attribute name='b' attributeType='String' defaultValueString='kept'/>
                </entity>
                """)
        }
        let entity = try #require(model.entitiesByName["A"])
        #expect(entity.attributesByName["b"]?.defaultValue as? String == "kept")
        return (try #require(entity.attributesByName["a"]), notes.list)
    }

    @Test(
        "That is not a value of the type is dropped, and the log names it; the model can be used",
        arguments: [
            ("Integer 16", "32768"), ("Integer 16", "-32769"), ("Integer 16", "1.5"),
            ("Integer 32", "2147483648"), ("Integer 32", "one"),
            ("Integer 64", "9223372036854775808"), ("Integer 64", ""),
            ("Decimal", "much"), ("Decimal", "12 francs"), ("Double", "1,5"), ("Double", "1e400"),
            ("Float", "x"), ("Float", "1e39"), ("Boolean", "maybe"),
            ("Date", "2001-01-01"), ("UUID", "empy"),
            ("UUID", "00000000-0000-0000-0000-00000000000"), ("URI", ""), ("Binary", "***"),
        ])
    func noValue(type: String, text: String) throws {
        let (attribute, notes) = try attribute(type, text)
        #expect(attribute.defaultValue == nil)
        let note = try #require(notes.first)
        #expect(notes.count == 1)
        #expect(note.element == "entity A, attribute a")
        #expect(note.line == 4)
        #expect(note.reason.contains("'\(text)'"))
    }

    @Test(
        "That has an earlier type is read as a value of the new type",
        arguments: [
            ("Boolean", "0.0", 0), ("Boolean", "1.0", 1), ("Boolean", "2", 1), ("Boolean", "-1", 1),
            ("Integer 32", "YES", 1), ("Integer 32", "NO", 0), ("Integer 16", "7.0", 7),
        ])
    func converted(type: String, text: String, value: Int) throws {
        let (attribute, notes) = try attribute(type, text)
        #expect((attribute.defaultValue as? NSNumber)?.intValue == value)
        #expect(notes.isEmpty)
    }
}
