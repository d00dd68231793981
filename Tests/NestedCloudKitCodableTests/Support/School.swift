import CloudKit
import CoreLocation
import NestedCloudKitCodable

/// The manual's example.
struct School: CKCodable {
    var cloudKitRecordType: String { "School" }
    var cloudKitIdentifier: String { id }

    var id = UUID().uuidString
    var name: String?
    var location: CLLocation?
    var students: [Person]?
    var director: Person?
    var books: [Book]?

    private enum CodingKeys: String, CodingKey {
        case id, name, location, students, director, books
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        let parts = try container.decodeIfPresent(String.self, forKey: .location)?
            .split(separator: ";").compactMap { Double($0) }
        if let parts, parts.count == 2 {
            location = CLLocation(latitude: parts[0], longitude: parts[1])
        }
        students = try container.decodeIfPresent([Person].self, forKey: .students)
        director = try container.decodeIfPresent(Person.self, forKey: .director)
        books = try container.decodeIfPresent([Book].self, forKey: .books)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        if let coordinate = location?.coordinate {
            try container.encode(
                "\(coordinate.latitude);\(coordinate.longitude)", forKey: .location)
        }
        try container.encodeIfPresent(students, forKey: .students)
        try container.encodeIfPresent(director, forKey: .director)
        try container.encodeIfPresent(books, forKey: .books)
    }
}

struct Person: CKCodable, Equatable {
    var cloudKitRecordType: String { "Person" }
    var cloudKitIdentifier: String { id }

    var id: String
    var name: String
    var favorite: Book?
    var score: Double?
}

struct Book: CKCodable, Equatable {
    var cloudKitRecordType: String { "Book" }
    var cloudKitIdentifier: String { isbn }

    var isbn: String
    var title: String
}

extension School {
    /// A school with two students, one of whom is also its director.
    static var example: School {
        let swift = Book(isbn: "978-1", title: "Swift")
        let ada = Person(id: "ada", name: "Ada", favorite: swift)
        var school = School()
        school.id = "school"
        school.name = "School of Swift"
        school.location = CLLocation(latitude: 52.52, longitude: 13.405)
        school.students = [ada, Person(id: "bob", name: "Bob")]
        school.director = ada
        school.books = [swift, Book(isbn: "978-2", title: "SQL")]
        return school
    }
}

extension School: Equatable {
    static func == (left: School, right: School) -> Bool {
        left.id == right.id && left.name == right.name
            && left.location?.coordinate.latitude == right.location?.coordinate.latitude
            && left.location?.coordinate.longitude == right.location?.coordinate.longitude
            && left.students == right.students && left.director == right.director
            && left.books == right.books
    }
}

/// The manual's example with other formats.
func encoderOfOtherForms() -> CKRecordEncoder {
    let encoder = CKRecordEncoder()
    encoder.dataForm = .asset  // for data of more than some kilobytes; a record has 1 MB at most
    encoder.coordinateForm = .location  // for queries by distance
    return encoder
}
