import CoreData

/// A model in code: `Person` with the subentity `Employee`, who works in a `Department`.
func makeStaffModel() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    name.isOptional = false
    let salary = NSAttributeDescription()
    salary.name = "salary"
    salary.attributeType = .integer32AttributeType
    salary.defaultValue = 100
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType

    let person = NSEntityDescription()
    person.name = "Person"
    let employee = NSEntityDescription()
    employee.name = "Employee"
    let department = NSEntityDescription()
    department.name = "Department"

    let worksIn = NSRelationshipDescription()
    worksIn.name = "department"
    worksIn.destinationEntity = department
    worksIn.maxCount = 1
    let staff = NSRelationshipDescription()
    staff.name = "staff"
    staff.destinationEntity = employee
    staff.maxCount = 0
    staff.inverseRelationship = worksIn
    worksIn.inverseRelationship = staff

    person.properties = [name]
    employee.properties = [salary, worksIn]
    department.properties = [title, staff]
    person.subentities = [employee]

    let model = NSManagedObjectModel()
    model.entities = [person, employee, department]
    return model
}
