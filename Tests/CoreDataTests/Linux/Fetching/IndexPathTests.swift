import CoreData
import Testing

@Suite struct IndexPathTests {
    @Test("An index path of two indexes has a section and a row, which is also its item")
    func places() {
        let path = IndexPath(row: 3, section: 1)
        #expect(path == [1, 3] && path == IndexPath(item: 3, section: 1))
        #expect(path.section == 1 && path.row == 3 && path.item == 3)
    }
}
