import CoreData

/// The model of the manual's test: clocks with a label and a note.
var model: NSManagedObjectModel { clockModel(["label", "note"]) }

/// A version of the model in which clocks have these attributes.
func clockModel(_ attributes: [String]) -> NSManagedObjectModel {
    let clock = NSEntityDescription()
    clock.name = "Clock"
    clock.properties = attributes.map { name in
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
