import CoreData
import Testing

/// The places where a container finds the model with its name.
@Suite struct ContainerModelTests {
    @Test("A container without a model of its name ends the process and says what there is")
    func missingModel() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPersistentContainer(name: "Nope")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Nope"))
        #expect(text.contains("Gallery.xcdatamodeld"))
        #expect(text.contains("NSPersistentContainer(name:managedObjectModel:)"))
    }

    @Test("A model in another bundle than the main one is not taken by its name")
    func otherBundle() async {
        await #expect(processExitsWith: .failure) {
            _ = NSPersistentContainer(name: "Gallery")
        }
    }

    @Test("A model of a package's target is found in the target's bundle")
    func portable() throws {
        let model = try #require(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
        let container = NSPersistentContainer(name: "Gallery", managedObjectModel: model)
        #expect(!container.managedObjectModel.entities.isEmpty)
    }
}
