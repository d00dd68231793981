/// A person as a plain Swift object: the yardstick of ``Person``.
///
/// Like a row, it refers to its employer by an identifier, which is looked up in a dictionary.
final class PlainPerson {
    let identifier: Int
    var name: String?
    var age: Int64 = 0
    var salary: Double = 0
    var employer: Int?
    /// Whether it was inserted or changed since the last save.
    var isChanged = false

    init(identifier: Int) {
        self.identifier = identifier
    }
}

/// A company as a plain Swift object: the yardstick of ``Company``.
final class PlainCompany {
    let identifier: Int
    var name: String?
    var employees: Set<Int> = []

    init(identifier: Int) {
        self.identifier = identifier
    }
}

/// The saved values of a person.
struct SavedPerson {
    let name: String?
    let age: Int64
    let salary: Double
    let employer: Int?

    init(_ person: PlainPerson) {
        name = person.name
        age = person.age
        salary = person.salary
        employer = person.employer
    }
}

/// Plain objects by their identifiers.
struct PlainStaff {
    var people: [Int: PlainPerson] = [:]
    var companies: [Int: PlainCompany] = [:]
    /// The people that were inserted or changed since the last save.
    private var changed: [PlainPerson] = []
    private(set) var saved: [Int: SavedPerson] = [:]

    /// Records that a person was inserted or changed.
    mutating func noteChange(of person: PlainPerson) {
        guard !person.isChanged else { return }
        person.isChanged = true
        changed.append(person)
    }

    /// Stores the values of the changed people, which is the minimum work of a save.
    mutating func save() {
        for person in changed {
            saved[person.identifier] = SavedPerson(person)
            person.isChanged = false
        }
        changed = []
    }

    /// Creates and stores the person with an index.
    @discardableResult
    mutating func insertPerson(_ index: Int, _ name: String) -> PlainPerson {
        let person = PlainPerson(identifier: index)
        person.name = name
        person.age = Int64(Staff.age(index))
        person.salary = Double(index)
        people[index] = person
        return person
    }

    /// Several independent instances.
    static func copies(_ copies: Int, of size: Int) -> [PlainStaff] {
        (0..<copies).map { _ in filled(size) }
    }

    /// Several instances with saved people.
    static func savedCopies(_ copies: Int, of size: Int) -> [PlainStaff] {
        (0..<copies).map { _ in
            var staff = filled(size)
            for person in staff.people.values { staff.noteChange(of: person) }
            staff.save()
            return staff
        }
    }

    /// A number of people and their companies.
    static func filled(_ count: Int) -> PlainStaff {
        var staff = PlainStaff()
        for index in 0..<count {
            let person = staff.insertPerson(index, Staff.name(index))
            let number = index / Staff.peoplePerCompany
            let company = staff.companies[number] ?? PlainCompany(identifier: number)
            staff.companies[number] = company
            if company.name == nil { company.name = Staff.companyName(number) }
            company.employees.insert(index)
            person.employer = number
        }
        return staff
    }
}
