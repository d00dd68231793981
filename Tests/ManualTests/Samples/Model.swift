import CoreData

/// The model of the manual's test: clocks with a label and a note.
var model: NSManagedObjectModel {
    let clock = NSEntityDescription()
    clock.name = "Clock"
    clock.properties = ["label", "note"].map { name in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [clock]
    return model
}
