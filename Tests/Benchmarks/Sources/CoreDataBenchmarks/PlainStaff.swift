/// A person as a plain Swift object: the yardstick of ``Person``.
///
/// Like a row it names its employer by an identifier, which a dictionary finds.
final class PlainPerson {
    let identifier: Int
    var name: String?
    var age: Int64 = 0
    var salary: Double = 0
    var employer: Int?

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

/// Plain objects by their identifiers.
struct PlainStaff {
    var people: [Int: PlainPerson] = [:]
    var companies: [Int: PlainCompany] = [:]

    /// Makes and keeps the person of an index.
    @discardableResult
    mutating func insertPerson(_ index: Int, _ name: String) -> PlainPerson {
        let person = PlainPerson(identifier: index)
        person.name = name
        person.age = Int64(Staff.age(index))
        person.salary = Double(index)
        people[index] = person
        return person
    }

    /// Several that know nothing of each other.
    static func copies(_ copies: Int, of size: Int) -> [PlainStaff] {
        (0..<copies).map { _ in filled(size) }
    }

    /// So many people and their companies.
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
