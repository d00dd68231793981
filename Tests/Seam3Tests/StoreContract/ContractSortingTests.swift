import CoreData
import Testing

@Suite("Every store sorts and groups") struct ContractSortingTests {
    static let names = [
        "item 10", "item 2", "Äpfel", "apfel", "Zebra", "zebra", "éclair", "Item 3",
    ]
    static let selectors = [
        "compare:", "caseInsensitiveCompare:", "localizedCompare:",
        "localizedCaseInsensitiveCompare:", "localizedStandardCompare:",
    ]

    /// Items in boxes: two in each, and one without a box.
    private func stack(_ kind: ContractStore) throws -> ContractStack {
        let stack = try ContractStack(kind)
        let boxes = Self.names.prefix(4).map { stack.insert("Box", $0) }
        for (index, name) in Self.names.enumerated() {
            stack.insert(name, ["box": boxes[index / 2], "number": index])
        }
        stack.insert("none", ["number": 99])
        try stack.save()
        return stack
    }

    private func expected(
        _ items: [NSManagedObject], _ descriptors: [NSSortDescriptor]
    ) -> [NSManagedObject] {
        items.sorted { left, right in
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }

    @Test(
        "as sort descriptors do, with saved and unsaved objects", arguments: ContractStore.allCases)
    func selectors(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        for isPending in [false, true] {
            if isPending { stack.insert("ITEM 2", ["number": 50]) }
            let items = try stack.context.all()
            for (selector, key) in Self.selectors.flatMap({ [($0, "name"), ($0, "box.name")] }) {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                let descriptors = [
                    NSSortDescriptor(
                        key: key, ascending: isPending, selector: NSSelectorFromString(selector)),
                    NSSortDescriptor(key: "number", ascending: true),
                ]
                request.sortDescriptors = descriptors
                let found = try stack.context.fetch(request)
                #expect(
                    found.compactMap(\.name) == expected(items, descriptors).compactMap(\.name),
                    "\(kind) \(selector) \(key) \(isPending)")
            }
        }
    }

    @Test(
        "and leaves out groups that a predicate excludes", arguments: ContractStore.allCases,
        ["total > 5", "$total > 5", "5 < $total AND $total != nil"])
    func having(_ kind: ContractStore, format: String) throws {
        let stack = try stack(kind)
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(
            forFunction: "sum:", arguments: [NSExpression(forKeyPath: "number")])
        sum.expressionResultType = .integer64AttributeType
        let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["box.name", sum]
        rows.propertiesToGroupBy = ["box.name"]
        rows.havingPredicate = NSPredicate(format: format)
        rows.predicate = NSPredicate(format: "box != nil")
        let groups = try stack.context.fetch(rows)
        #expect(groups.compactMap { $0["total"] as? Int }.sorted() == [9, 13])
        rows.fetchOffset = 1
        #expect(try stack.context.fetch(rows).count == 1)
        // Unsaved changes are grouped in memory.
        rows.fetchOffset = 0
        stack.context.performAndWait { stack.insert("unsaved").setValue(1, forKey: "number") }
        #expect(
            try stack.context.fetch(rows).compactMap { $0["total"] as? Int }.sorted() == [9, 13])
    }

    @Test("and can omit the values", arguments: ContractStore.allCases)
    func withoutValues(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let context = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.includesPropertyValues = false
        request.predicate = NSPredicate(format: "name == 'zebra'")
        let found = try context.fetch(request)
        #expect(found.map(\.isFault) == [true])
        #expect(found.first?.value(forKey: "number") as? Int == 5)
    }

    @Test("and reads known objects again on request", arguments: ContractStore.allCases)
    func refreshed(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let item = try #require(try stack.context.all("Item", "name == 'zebra'").first)
        #expect(item.value(forKey: "number") as? Int == 5)
        let other = stack.newContext()
        other.object(with: item.objectID).setValue(500, forKey: "number")
        try other.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "number == 500")
        #expect(try stack.context.fetch(request) == [item])
        #expect(item.value(forKey: "number") as? Int == 5)
        request.shouldRefreshRefetchedObjects = true
        #expect(try stack.context.fetch(request) == [item])
        #expect(item.value(forKey: "number") as? Int == 500)
    }

    @Test("and executes the model's templates", arguments: ContractStore.allCases)
    func template(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        template.predicate = NSPredicate(format: "name BEGINSWITH[c] $START AND box == $BOX")
        let model = try #require(
            stack.coordinator.managedObjectModel.copy() as? NSManagedObjectModel)
        model.setFetchRequestTemplate(template, forName: "starting")
        let box = try #require(try stack.context.all("Box", "name == 'item 10'").first)
        let request = try #require(
            model.fetchRequestFromTemplate(
                withName: "starting", substitutionVariables: ["START": "I", "BOX": box]))
        let found = try stack.context.fetch(request).compactMap { ($0 as? NSManagedObject)?.name }
        #expect(found.sorted() == ["item 10", "item 2"])
    }
}
