import CoreData
import Foundation

/// The model of the measurements: readers with ten books each.
enum ShelfModel {
    /// The model, with an index on a book's code.
    ///
    /// Unchecked because a model in use never changes.
    nonisolated(unsafe) static let model: NSManagedObjectModel = {
        let reader = entity(
            "Reader", [("name", .stringAttributeType), ("number", .integer64AttributeType)])
        let book = entity(
            "Book",
            [
                ("title", .stringAttributeType), ("code", .stringAttributeType),
                ("number", .integer64AttributeType), ("pages", .integer32AttributeType),
                ("shelf", .integer16AttributeType), ("price", .doubleAttributeType),
                ("added", .dateAttributeType), ("isLent", .booleanAttributeType),
                ("note", .stringAttributeType),
            ])
        let books = NSRelationshipDescription()
        books.name = "books"
        books.destinationEntity = book
        books.maxCount = 0
        books.isOptional = true
        books.deleteRule = .nullifyDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "reader"
        owner.destinationEntity = reader
        owner.maxCount = 1
        owner.isOptional = true
        owner.deleteRule = .nullifyDeleteRule
        books.inverseRelationship = owner
        owner.inverseRelationship = books
        reader.properties += [books]
        book.properties += [owner]
        if let code = book.attributesByName["code"] {
            book.indexes = [
                NSFetchIndexDescription(
                    name: "byCode",
                    elements: [
                        NSFetchIndexElementDescription(property: code, collationType: .binary)
                    ])
            ]
        }
        let model = NSManagedObjectModel()
        model.entities = [reader, book]
        return model
    }()

    private static func entity(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    /// The number of books of a reader.
    static let booksPerReader = 10
}

/// The values of the book with a number, the same in every store.
struct BookValues {
    let number: Int

    var title: String { "The book number \(number)" }
    var code: String { "C-\((number &* 7919) % 10_000_019)" }
    var pages: Int { number % 997 }
    var shelf: Int { number % 50 }
    var price: Double { Double(number % 10_000) / 4 }
    var added: Double { Double(number) * 60 }
    var isLent: Bool { number % 3 == 0 }
    var note: String? { number % 2 == 0 ? "read twice, and lent to a friend" : nil }
    /// The number of the reader, from 0.
    var reader: Int { number / ShelfModel.booksPerReader }

    /// The codes of 1,000 books among the given number, in an order that jumps.
    static func codesToChange(of size: Int) -> [String] {
        (0..<1000).map { BookValues(number: ($0 &* 7_919) % size).code }
    }
}
