import CoreData
import LocalCloud
import Seam3
import Testing

/// Stores whose configuration has a part of an entity hierarchy.
@Suite struct PartialModelTests {
    @Test(
        "A store opens again with a configuration that omits a subentity, or its parent",
        arguments: [["Note"], ["Letter"], ["Note", "Letter"]])
    func partOfHierarchy(names: [String]) throws {
        let folder = try TestFolder()
        for expected in 1...2 {
            let text = NSAttributeDescription("text", .stringAttributeType)
            let note = NSEntityDescription("Note", [text])
            let letter = NSEntityDescription("Letter", [])
            note.subentities = [letter]
            let model = NSManagedObjectModel(note, letter)
            let entities = model.entitiesByName
            model.setEntities(names.compactMap { entities[$0] }, forConfigurationName: "Part")
            SMStore.registerStoreClass()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: "Part",
                at: folder.url.appendingPathComponent("Notes.sqlite"),
                options: [
                    SMStore.SMStoreContainerOption: CloudPath.current.container(
                        on: LocalCloud.inMemory())
                ])
            (store as? SMStore)?.syncAutomatically = false
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            for name in names {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                object.setValue("a", forKey: "text")
            }
            try context.save()
            for name in names {
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.includesSubentities = false
                #expect(try context.fetch(request).count == expected)
            }
            try coordinator.remove(store)
        }
    }
}
