import FoundationGaps
import Testing

@Suite struct CollectionLiteralTests {
    @Test("An array literal can be a set, a mutable set or an optional one")
    func sets() {
        let set: NSSet = [1, 2, 2]
        #expect(set == NSSet(array: [1, 2]))
        let mutable: NSMutableSet = ["a"]
        mutable.add("b")
        #expect(mutable.count == 2)
        let optional: NSSet? = []
        #expect(optional?.count == 0)
    }

    @Test("A predicate without arguments is a placeholder that cannot be evaluated")
    func emptyPredicate() async {
        let predicate = NSPredicate()
        #expect(predicate.isEqual(predicate))
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate().evaluate(with: "a")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("only defined for abstract class"))
    }
}
