import Testing

@testable import CoreData

@Suite("A large model")
struct LargeModelTests {
    /// A model as large as the largest in use: 90 entities with ten attributes each, a third of
    /// them with a parent, and 130 relationships, including inverses.
    static let body: String = {
        let types = ["String", "Integer 64", "Double", "Date", "Boolean", "Binary", "UUID"]
        let entities = (0..<90).map { entity in
            let attributes = (0..<10).map { attribute in
                "<attribute name='a\(entity)x\(attribute)' optional='YES' "
                    + "attributeType='\(types[attribute % types.count])'/>"
            }
            // Relationships come in pairs, from each entity to the next.
            let pairs = (0..<65).filter { $0 == entity }.map {
                "<relationship name='next\($0)' toMany='YES' destinationEntity='E\(entity + 1)' "
                    + "inverseName='previous\($0)' inverseEntity='E\(entity + 1)'/>"
            }
            let inverses = (0..<65).filter { $0 + 1 == entity }.map {
                "<relationship name='previous\($0)' maxCount='1' destinationEntity='E\($0)' "
                    + "inverseName='next\($0)' inverseEntity='E\($0)'/>"
            }
            let parent = entity % 3 == 2 ? "parentEntity='E\(entity - 1)'" : ""
            return "<entity name='E\(entity)' representedClassName='E\(entity)' \(parent)>\n"
                + (attributes + pairs + inverses).joined(separator: "\n") + "\n</entity>"
        }
        return entities.joined(separator: "\n")
    }()

    @Test("90 entities with 130 relationships are read quickly")
    func reading() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.writeModel(body: Self.body)
        var model: NSManagedObjectModel?
        let times = try (0..<5).map { _ in
            try ContinuousClock().measure { model = try NSManagedObjectModel(readingFrom: url) }
        }
        let entities = try #require(model).entities
        #expect(entities.count == 90)
        let relationships = entities.flatMap { $0.ownProperties }
            .compactMap { $0 as? NSRelationshipDescription }
        #expect(relationships.count == 130)
        #expect(relationships.allSatisfy { $0.inverseRelationship?.inverseRelationship === $0 })
        // It takes a few milliseconds in an optimized build, and more in a debug build, with a
        // sanitizer, or in parallel with other tests.
        let shortest = try #require(times.min())
        #expect(shortest < .seconds(2), "\(times)")
    }
}
