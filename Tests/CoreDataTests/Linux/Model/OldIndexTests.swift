import CoreData
import Testing

@Suite("The indexes of old source models") struct OldIndexTests {
    @Test("Become fetch indexes, unless there is one over the same properties")
    func indexes() throws {
        let model = try readModel(
            """
            <entity name='A'>
                <attribute name='one' attributeType='String' indexed='YES'/>
                <attribute name='two' attributeType='String' indexed='YES'/>
                <attribute name='three' attributeType='String'/>
                <fetchIndex name='own'><fetchIndexElement property='two'/></fetchIndex>
                <compoundIndexes>
                    <compoundIndex><index value='two'/><index value='three'/></compoundIndex>
                    <compoundIndex><index value='missing'/></compoundIndex>
                </compoundIndexes>
            </entity>
            <entity name='B' parentEntity='A'/>
            """)
        let indexes = try #require(model.entitiesByName["A"]?.indexes)
        let text = indexes.map { index in
            "\(index.name): \(index.elements.compactMap { $0.property?.name })"
        }
        #expect(
            text == [
                #"own: ["two"]"#, #"byOneIndex: ["one"]"#, #"byTwoAndThreeIndex: ["two", "three"]"#,
            ])
        #expect(model.entitiesByName["B"]?.indexes.isEmpty == true)
    }
}
