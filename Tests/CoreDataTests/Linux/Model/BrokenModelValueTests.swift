import CoreData
import Testing

@Suite("A broken value in a model file")
struct BrokenModelValueTests {
    /// The location and the reason with which a model with the given attribute is refused.
    private func failure(attribute: String) throws -> ManagedObjectModelFileError {
        try failure(body: "<entity name='A'>\n<attribute name='a' \(attribute)/>\n</entity>")
    }

    private func failure(body: String) throws -> ManagedObjectModelFileError {
        try #require(throws: ManagedObjectModelFileError.self) { try readModel(body) }
    }

    @Test(
        "An invalid bound is refused, for each type",
        arguments: [
            ("Integer 16", "ValueString", "x"), ("Integer 32", "ValueString", "1 000"),
            ("Integer 64", "ValueString", "--1"), ("Decimal", "ValueString", "1.2.3"),
            ("Double", "ValueString", "infinity"), ("Float", "ValueString", "nan"),
            ("String", "ValueString", "long"), ("Date", "DateTimeInterval", "today"),
        ], ["min", "max"])
    func bounds(row: (type: String, name: String, text: String), end: String) throws {
        let error = try failure(
            attribute: "attributeType='\(row.type)' \(end)\(row.name)='\(row.text)'")
        #expect(error.element == "entity A, attribute a")
        #expect(error.attribute == end + row.name)
        #expect(error.reason.contains("'\(row.text)'"))
    }

    @Test("An invalid regular expression is refused")
    func pattern() throws {
        let error = try failure(attribute: "attributeType='String' regularExpressionString='('")
        #expect(error.element == "entity A, attribute a")
        #expect(error.attribute == "regularExpressionString")
    }

    @Test(
        "A predicate or expression that cannot be parsed is refused",
        arguments: [
            (
                "<entity name='A'/><fetchRequest name='f' entity='A' predicateString='a =='/>",
                "fetchRequest f", "predicateString"
            ),
            (
                "<entity name='A'><fetchedProperty name='p'><fetchRequest name='f' entity='A' "
                    + "predicateString='== 1'/></fetchedProperty></entity>",
                "entity A, fetchedProperty p, fetchRequest f", "predicateString"
            ),
            (
                "<entity name='A'><attribute name='a'/><fetchIndex name='i' "
                    + "partialIndexPredicate='a ='><fetchIndexElement property='a'/></fetchIndex>"
                    + "</entity>", "entity A, fetchIndex i", "partialIndexPredicate"
            ),
            (
                "<entity name='A'><fetchIndex name='i'><fetchIndexElement expression='1 +'/>"
                    + "</fetchIndex></entity>",
                "entity A, fetchIndex i, fetchIndexElement", "expression"
            ),
            (
                "<entity name='A'><attribute name='a' derived='YES' "
                    + "derivationExpression='now('/></entity>",
                "entity A, attribute a", "derivationExpression"
            ),
            (
                "<entity name='A' coreSpotlightDisplayNameExpression=')'/>", "entity A",
                "coreSpotlightDisplayNameExpression"
            ),
        ])
    func predicates(body: String, element: String, attribute: String) throws {
        let error = try failure(body: body)
        #expect(error.element == element)
        #expect(error.attribute == attribute)
        #expect(!error.reason.isEmpty)
    }

    @Test(
        "An inverse must lead back, and be in the destination",
        arguments: [
            ("destinationEntity='B' inverseName='c'", "inverseName"),
            ("destinationEntity='B' inverseName='a' inverseEntity='C'", "inverseEntity"),
            ("destinationEntity='B' inverseName='a' inverseEntity='D'", "inverseEntity"),
            ("destinationEntity='B' inverseName='name'", "inverseName"),
        ])
    func inverses(relationship: String, attribute: String) throws {
        let error = try failure(
            body: """
                <entity name='A'><relationship name='r' \(relationship)/></entity>
                <entity name='B'>
                    <attribute name='name'/>
                    <relationship name='a' destinationEntity='A'/>
                    <relationship name='c' destinationEntity='C'/>
                </entity>
                <entity name='C'/>
                """)
        #expect(error.line == 3)
        #expect(error.element == "entity A, relationship r")
        #expect(error.attribute == attribute)
    }

    @Test("An inverse may be a relationship of or to a parent entity")
    func inheritedInverse() throws {
        let model = try readModel(
            """
            <entity name='Owner'>
                <relationship name='dog' destinationEntity='Dog' inverseName='owner'
                    inverseEntity='Animal'/>
            </entity>
            <entity name='Animal'>
                <relationship name='owner' destinationEntity='Owner' inverseName='dog'/>
            </entity>
            <entity name='Dog' parentEntity='Animal'/>
            """)
        let dog = model.entitiesByName["Owner"]?.relationshipsByName["dog"]
        #expect(dog?.inverseRelationship?.name == "owner")
    }

    @Test(
        "A repeated name is refused",
        arguments: [
            "<entity name='A'/><entity name='A'/>",
            "<entity name='A'><attribute name='a'/><attribute name='a'/></entity>",
            "<entity name='A'><attribute name='a'/>"
                + "<relationship name='a' destinationEntity='A'/></entity>",
            "<entity name='A'><attribute name='a'/><fetchedProperty name='a'/></entity>",
            "<entity name='A'><fetchIndex name='a'/><fetchIndex name='a'/></entity>",
            "<composite name='A'/><composite name='A'/>",
            "<configuration name='A'/><configuration name='A'/>",
            "<entity name='A'/><fetchRequest name='f' entity='A'/>"
                + "<fetchRequest name='f' entity='A'/>",
        ])
    func duplicates(body: String) throws {
        let error = try failure(body: body)
        #expect(error.attribute == "name")
        #expect(error.reason.hasPrefix("there are two"))
    }
}
