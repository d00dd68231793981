import Testing

@testable import FoundationGaps

/// Sort descriptors made from keys.
@Suite struct NSSortDescriptorTests {
    private let people: [[String: Any]] = [
        ["name": "bob", "age": 3], ["name": "Ann", "age": 5], ["name": "cy"],
        ["name": "Zed", "age": 4],
    ]

    private func names(_ descriptors: NSSortDescriptor...) -> [String] {
        NSArray(array: people).sortedArray(using: descriptors).compactMap {
            ($0 as? [String: Any])?["name"] as? String
        }
    }

    @Test("A descriptor with a selector has no comparator")
    func comparatorOfSelector() async {
        let closure = NSSortDescriptor(key: "self", ascending: true) { _, _ in .orderedDescending }
        #expect(closure.comparator(1, 2) == .orderedDescending)
        await #expect(processExitsWith: .failure) {
            let descriptor = NSSortDescriptor(key: "self", ascending: true)
            _ = descriptor.comparator(1, 2)
        }
    }

    @Test("Objects are sorted by the value of a key, nil first")
    func ascending() {
        #expect(
            names(NSSortDescriptor(key: "age", ascending: true)) == ["cy", "bob", "Zed", "Ann"])
        #expect(
            names(NSSortDescriptor(key: "age", ascending: false)) == ["Ann", "Zed", "bob", "cy"])
    }

    @Test("A selector names another comparison")
    func selector() {
        let selector = Selector("caseInsensitiveCompare:")
        #expect(
            names(NSSortDescriptor(key: "name", ascending: true, selector: selector))
                == ["Ann", "bob", "cy", "Zed"])
        #expect(
            names(NSSortDescriptor(key: "name", ascending: true)) == ["Ann", "Zed", "bob", "cy"])
    }

    @Test("Strings with numbers are sorted as people expect by localizedStandardCompare:")
    func localizedStandard() {
        let descriptor = NSSortDescriptor(
            key: nil, ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
        #expect(
            NSArray(array: ["a10", "a9"]).sortedArray(using: [descriptor]) as? [String]
                == ["a9", "a10"])
    }

    @Test("An array sorts like NSArray, and keeps the order of equal elements")
    func arraySorting() {
        let rows = (0..<200).map { ["a": $0 % 7, "b": "\($0 % 3)", "n": $0] as [String: Any] }
        let descriptors = [
            NSSortDescriptor(key: "a", ascending: false),
            NSSortDescriptor(key: "b", ascending: true) { left, right in
                ("\(left)" as String).compare("\(right)")
            },
        ]
        let numbers = rows._sorted(using: descriptors).map { $0["n"] as? Int }
        let expected = NSArray(array: rows).sortedArray(using: descriptors)
            .map { ($0 as? [String: Any])?["n"] as? Int }
        #expect(numbers == expected)
        #expect(rows._sorted(using: [NSSortDescriptor(key: "none", ascending: true)]).count == 200)
        #expect(
            [3, 1, 2]._sorted(using: [NSSortDescriptor(key: nil, ascending: true)]) == [1, 2, 3])
    }

    @Test("A closure compares")
    func comparator() {
        let descriptor = NSSortDescriptor(key: "age", ascending: true) { left, _ in
            left is NSNull ? .orderedDescending : .orderedAscending
        }
        #expect(descriptor.compare(people[2], to: people[0]) == .orderedDescending)
    }

    @Test("Key, direction and the reversed descriptor can be read")
    func properties() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true)
        #expect(descriptor.key == "a.b")
        #expect(descriptor.ascending)
        #expect(descriptor.selector == Selector("compare:"))
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed.key == "a.b")
        #expect(!reversed.ascending)
    }

    @Test("Equal keys, directions and selectors make equal descriptors")
    func equality() {
        let descriptor = NSSortDescriptor(key: "a", ascending: true)
        #expect(descriptor == NSSortDescriptor(key: "a", ascending: true))
        #expect(descriptor.hash == NSSortDescriptor(key: "a", ascending: true).hash)
        #expect(descriptor != NSSortDescriptor(key: "a", ascending: false))
        #expect(descriptor != NSSortDescriptor(key: "b", ascending: true))
        #expect((descriptor.copy() as? NSSortDescriptor) == descriptor)
    }

    @Test(
        "Foundation's descriptors by Swift key path still work, and know the key of a class that has one"
    )
    func swiftKeyPath() {
        let descriptor = NSSortDescriptor(keyPath: \Coded.age, ascending: false)
        #expect(descriptor.key == "age")
        #expect(descriptor.compare(Coded(age: 1), to: Coded(age: 2)) == .orderedDescending)
        #expect(NSSortDescriptor(keyPath: \String.count, ascending: true).key == nil)
    }
}

private final class Coded: NSObject, _KeyValueCoding {
    let age: Int

    init(age: Int) {
        self.age = age
    }

    func _value(forKey key: String) -> Any? {
        key == "age" ? age : nil
    }

    static func _key(for keyPath: AnyKeyPath) -> String? {
        keyPath == \Coded.age ? "age" : nil
    }
}
