import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite
import Testing

@Suite(
    "A composite attribute of an adopted file",
    .tags(.existingDataIsAdopted, .nothingLeftOutSilently)
)
struct AdoptedCompositeDoubtTests {
    private typealias Row = CoreDataFileWriter.Row

    /// Properties whose columns have similar names.
    struct Namesakes: Sendable, CustomTestStringConvertible {
        /// Texts are `a`, numbers are `a#`, and a composite attribute is `a(b c(d))`.
        let properties: [String]
        /// The forms of names in which everything is adopted.
        var clear: [ElementColumn] = []
        /// The forms of names in which some columns cannot be told apart, and these columns.
        var unclear: [ElementColumn: [String]] = [:]

        var testDescription: String { properties.joined(separator: ", ") }
    }

    static let namesakes = [
        Namesakes(
            properties: ["home(label)", "work(label)"], clear: [.path, .dotted, .joined],
            unclear: [.element: ["ZLABEL", "ZLABEL1"]]),
        Namesakes(
            properties: ["place(label)", "placelabel"], clear: [.path, .dotted, .element],
            unclear: [.joined: ["ZPLACELABEL", "ZPLACELABEL1"]]),
        Namesakes(
            properties: ["place(label)", "place_label"], clear: [.dotted, .joined, .element],
            unclear: [.path: ["ZPLACE_LABEL", "ZPLACE_LABEL1"]]),
        Namesakes(
            properties: ["label", "place(label)"], clear: [.path, .joined],
            unclear: [.element: ["ZLABEL", "ZLABEL1"]]),
        Namesakes(properties: ["label#", "place(label)"], clear: [.path, .joined, .element]),
        Namesakes(
            properties: ["place(label)", "placelabel#"], clear: [.path, .element],
            unclear: [.joined: ["ZPLACELABEL", "ZPLACELABEL1"]]),
        Namesakes(
            properties: ["place(label longlabel)", "long(label)"],
            clear: [.path, .dotted, .joined],
            unclear: [.element: ["ZLABEL", "ZLABEL1", "ZLONGLABEL"]]),
        Namesakes(
            properties: ["place(longlabel)", "placelong(label)"], clear: [.path, .element],
            unclear: [.joined: ["ZPLACELONGLABEL", "ZPLACELONGLABEL1"]]),
        Namesakes(properties: ["place(line line1 line12)"], clear: ElementColumn.allCases),
        Namesakes(
            properties: ["place(label)", "x(placelabel)"],
            clear: [.path, .dotted, .joined, .element]),
        Namesakes(
            properties: ["place(label)", "place_(label)"], clear: [.path, .dotted, .joined],
            unclear: [.element: ["ZLABEL", "ZLABEL1"]]),
        Namesakes(
            properties: ["place(home(label) work(label))"],
            clear: [.path, .joined, .pathInAttribute],
            unclear: [.element: ["ZLABEL", "ZLABEL1"]]),
    ]

    private static func attribute(_ text: String) -> NSAttributeDescription {
        guard let open = text.firstIndex(of: "(") else {
            let isNumber = text.hasSuffix("#")
            let attribute = NSAttributeDescription(
                text.replacingOccurrences(of: "#", with: ""),
                isNumber ? .doubleAttributeType : .stringAttributeType)
            // In CloudKit, an element has the field with the underscore.
            if text.contains("_") { attribute.userInfo = [SMStore.SMFieldNameUserInfoKey: "other"] }
            return attribute
        }
        var parts: [String] = []
        var depth = 0
        for word in text[text.index(after: open)...].dropLast().split(separator: " ") {
            if depth == 0 {
                parts.append(String(word))
            } else {
                parts[parts.count - 1] += " \(word)"
            }
            depth += word.filter { $0 == "(" }.count - word.filter { $0 == ")" }.count
        }
        return .composite(String(text[..<open]), parts.map(attribute))
    }

    private static func model(_ properties: [String]) -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [NSAttributeDescription("name", .stringAttributeType)] + properties.map(attribute)))
    }

    /// Sets a value of its own for everything without elements, and returns what the object shows.
    private static func fill(
        _ row: inout Row, _ attribute: NSAttributeDescription, at path: String
    ) -> NSObject {
        guard let elements = attribute.compositeElements else {
            let number = Double(row.values.count)
            let isText = attribute.attributeType == .stringAttributeType
            row.values[path] = isText ? .text(path) : .real(number)
            return isText ? path as NSString : number as NSNumber
        }
        var value: [String: NSObject] = [:]
        for element in elements {
            value[element.name] = fill(&row, element, at: "\(path).\(element.name)")
        }
        return value as NSDictionary
    }

    @Test(
        "never has the values of another property, nor that property its values",
        arguments: namesakes)
    func namesakes(namesakes: Namesakes) throws {
        let forms = namesakes.clear.map { ($0, []) } + namesakes.unclear.map { ($0, $1) }
        for (form, columns) in forms {
            let leftOut = try expectOwnValues(namesakes.properties, of: namesakes, form)
            #expect(leftOut == columns, "\(form)")
            for property in namesakes.properties {
                let leftOut = try expectOwnValues([property], of: namesakes, form)
                #expect(Set(leftOut).isSubset(of: columns), "\(form), \(property)")
            }
        }
    }

    /// Adopts an item of which some properties have values, and expects that each has its own, or none if the columns
    /// are not clear.
    ///
    /// - Returns: The columns that were left out.
    private func expectOwnValues(
        _ filled: [String], of namesakes: Namesakes, _ form: ElementColumn
    ) throws -> [String] {
        let isUnclear = namesakes.unclear[form] != nil
        let model = Self.model(namesakes.properties)
        var row = Row("Item", 1, ["name": "i"])
        var shown: [String: NSObject] = [:]
        for property in filled.map(Self.attribute) {
            shown[property.name] = Self.fill(&row, property, at: property.name)
        }
        let file = try AdoptedFile(model, [row], elementName: form.name)
        let adoption = try #require(try SMStore.adoptFile(at: file.url, model: model))
        let remark = adoption.report.first { $0.property == nil }?.reasons.first ?? ""
        #expect(remark.contains("composite attribute") == isUnclear, "\(form)")
        let stack = try StoreStack(at: file.url, model: model)
        for property in namesakes.properties.map(Self.attribute) {
            let (found, own) = (try stack.values(of: property.name)["i"], shown[property.name])
            #expect(
                found == own || found == nil && isUnclear,
                "\(form): \(property.name) is \(found ?? NSNull())")
        }
        return adoption.leftOut.compactMap(\.property)
    }

    /// A change of a file that has the columns ZPLACE_LABEL, ZPLACE_ROW and ZOTHER_LABEL.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statements: [String]
        /// The columns that are left out.
        let columns: [String]
    }

    static let damages = [
        Damage(
            testDescription: "a column is missing",
            statements: ["ALTER TABLE ZITEM DROP COLUMN ZPLACE_ROW"], columns: ["ZPLACE_LABEL"]),
        Damage(
            testDescription: "a column has another type",
            statements: [
                "ALTER TABLE ZITEM DROP COLUMN ZPLACE_ROW", "ALTER TABLE ZITEM ADD ZPLACE_ROW BLOB",
                "UPDATE ZITEM SET ZPLACE_ROW = 'row' WHERE ZNAME = 'b'",
            ], columns: ["ZPLACE_LABEL", "ZPLACE_ROW"]),
        Damage(
            testDescription: "two columns may be an element's",
            statements: [
                "ALTER TABLE ZITEM ADD ZPLACE_ROW3 VARCHAR",
                "UPDATE ZITEM SET ZPLACE_ROW3 = 'x' WHERE ZNAME = 'b'",
            ], columns: ["ZPLACE_LABEL", "ZPLACE_ROW", "ZPLACE_ROW3"]),
        Damage(
            testDescription: "an empty column has the name, too",
            statements: ["ALTER TABLE ZITEM ADD ZPLACE_ROW3 VARCHAR"], columns: []),
        Damage(
            testDescription: "the only column has a number",
            statements: ["ALTER TABLE ZITEM RENAME ZPLACE_ROW TO ZPLACE_ROW2"], columns: []),
        Damage(
            testDescription: "another entity's objects have values in the column",
            statements: ["UPDATE ZITEM SET ZPLACE_ROW = 'x' WHERE ZNAME = 'f'"],
            columns: ["ZPLACE_LABEL", "ZPLACE_ROW"]),
    ]

    @Test(
        "is left out and reported if its columns do not fit, and others are not", arguments: damages
    )
    func damages(damage: Damage) throws {
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType)])
        item.isAbstract = true
        let book = NSEntityDescription(
            "Book", [.composite("place", texts: "label", "row")] as [NSAttributeDescription])
        let film = NSEntityDescription(
            "Film", [.composite("other", texts: "label")] as [NSAttributeDescription])
        item.subentities = [book, film]
        let model = NSManagedObjectModel(item, book, film)
        let file = try AdoptedFile(
            model,
            [
                Row("Book", 1, ["name": "b", "place.label": "label", "place.row": "row"]),
                Row("Film", 2, ["name": "f", "other.label": "other"]),
            ])
        for statement in damage.statements { try file.change(statement) }
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(adoption?.leftOut.compactMap(\.property) == damage.columns)
        let stack = try StoreStack(at: file.url, model: model)
        let place = ["label": "label", "row": "row"] as NSDictionary
        #expect(
            try stack.values(of: "place", "Book") == (damage.columns.isEmpty ? ["b": place] : [:]))
        #expect(try stack.values(of: "other", "Film") == ["f": ["label": "other"] as NSDictionary])
    }

    @Test(
        "of a file without a model does not have the values of a former attribute",
        arguments: [true, false])
    func formerAttribute(keepsModel: Bool) throws {
        let (former, model) = (Self.model(["label"]), Self.model(["place(label)"]))
        let file = try AdoptedFile(
            former, keepsModel: keepsModel, [Row("Item", 1, ["name": "i", "label": "l"])])
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(adoption?.leftOut.map(\.property) == [keepsModel ? "label" : "ZLABEL"])
        #expect(try StoreStack(at: file.url, model: model).values(of: "place") == [:])
    }

    @Test("whose columns have names of an unknown form takes no other property's column away")
    func unknownForm() throws {
        let model = Self.model(["label", "place(label)"])
        let file = try AdoptedFile(
            model, [Row("Item", 1, ["name": "i", "label": "l", "place.label": "p"])],
            elementName: { "PART_OF_" + $0.joined() })
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(adoption?.leftOut.map(\.property) == ["ZPART_OF_PLACELABEL"])
        let stack = try StoreStack(at: file.url, model: model)
        #expect(try stack.values(of: "label") == ["i": "l" as NSString])
        #expect(try stack.values(of: "place") == [:])
    }

    @Test("does not share a column with another one")
    func sharedColumn() throws {
        let model = Self.model(["home(label)", "work(label)"])
        let file = try AdoptedFile(
            model, [Row("Item", 1, ["name": "i", "home.label": "h"])],
            elementName: ElementColumn.element.name)
        try file.change("ALTER TABLE ZITEM DROP COLUMN ZLABEL1")
        let adoption = try SMStore.adoptFile(at: file.url, model: model)
        #expect(adoption?.leftOut.map(\.property) == ["ZLABEL"])
        let stack = try StoreStack(at: file.url, model: model)
        #expect(try stack.values(of: "home") == [:])
        #expect(try stack.values(of: "work") == [:])
    }
}
