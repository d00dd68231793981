import CoreData
import Testing

@Suite struct ScheduleTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    struct Failure: Error {}

    @Test(
        "Both schedules return and throw what the block does",
        arguments: [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued])
    func results(_ schedule: NSManagedObjectContext.ScheduledTaskType) async throws {
        let context = stack.context
        let count = await context.perform(schedule: schedule) {
            _ = Clock(context: context)
            return context.insertedObjects.count
        }
        #expect(count == 1)
        await #expect(throws: Failure.self) {
            try await context.perform(schedule: schedule) { throw Failure() }
        }
    }

    /// Outside an async function, so that `perform` is the overload that does not wait.
    private func enqueue(in context: NSManagedObjectContext) {
        context.perform { context.userInfo["order"] = ["first"] }
    }

    @Test(
        "A block from another thread runs after those that wait",
        arguments: [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued])
    func order(_ schedule: NSManagedObjectContext.ScheduledTaskType) async {
        let context = stack.context
        enqueue(in: context)
        let order = await context.perform(schedule: schedule) {
            (context.userInfo["order"] as? [String] ?? []) + ["second"]
        }
        #expect(order == ["first", "second"])
    }

    @Test("A block within a block runs immediately, and the changes of both are one event")
    func nested() {
        let context = stack.context
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
        let inserted = context.performAndWait {
            _ = Clock(context: context)
            context.performAndWait { _ = Clock(context: context) }
            return context.insertedObjects.count
        }
        #expect(inserted == 2)
        #expect(recorder.all.count == 1)
        #expect(recorder.objects(NSInsertedObjectsKey)?.count == 2)
    }

    @Test("A block of the parent within one of the child and back again does not deadlock")
    func acrossContexts() throws {
        let (parent, child) = (stack.context, NSManagedObjectContext(.privateQueue))
        child.parent = parent
        let label = try child.performAndWait {
            Clock(context: child).label = "deep"
            return try parent.performAndWait {
                try child.performAndWait {
                    try child.save()
                    return try parent.fetch(NSFetchRequest<Clock>(entityName: "Clock")).first?.label
                }
            }
        }
        #expect(label == "deep")
    }
}
