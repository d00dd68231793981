import CoreData
import Testing

#if canImport(ObjectiveC)
private typealias ValidatedValue = AutoreleasingUnsafeMutablePointer<AnyObject?>
#else
private typealias ValidatedValue = UnsafeMutablePointer<AnyObject?>
#endif

/// An object whose validation replaces values.
private final class Tidy: NSManagedObject {
    var validations = 0
    var isNeverSatisfied = false

    var text: String? {
        get { value(forKey: "text") as? String }
        set { setValue(newValue, forKey: "text") }
    }

    override func validateValue(_ value: ValidatedValue, forKey key: String) throws {
        validations += 1
        if let text = value.pointee as? String {
            if isNeverSatisfied {
                value.pointee = NSString(string: text == "a" ? "b" : "a")
            } else if text != text.lowercased() {
                value.pointee = NSString(string: text.lowercased())
            }
        }
        try super.validateValue(value, forKey: key)
    }
}

@Suite struct ValidationReplacementTests {
    private let stack: TestStack
    private let tidy: Tidy

    init() throws {
        let entity = NSEntityDescription()
        entity.name = "Tidy"
        let text = TestModel.attribute("text", .stringAttributeType)
        text.setValidationPredicates(
            [NSPredicate(format: "SELF.length < 4")], withValidationWarnings: ["too long"])
        entity.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        stack = try TestStack(model: model)
        tidy = Tidy(entity: entity, insertInto: stack.context)
    }

    @Test("A value that validation replaces is set and saved")
    func replaces() throws {
        tidy.text = "ABC"
        try stack.context.save()
        #expect(tidy.text == "abc")
        #expect(!stack.context.hasChanges)
        #expect(stack.database.row(tidy.objectID)?.values["text"] as? String == "abc")
        tidy.text = "D"
        try stack.context.save()
        #expect(stack.database.row(tidy.objectID)?.values["text"] as? String == "d")
    }

    @Test("A replaced value is reported as a change and validated again; another is validated once")
    func validatesAgain() throws {
        tidy.text = "ABC"
        stack.context.processPendingChanges()
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        try stack.context.save()
        #expect(tidy.validations == 2)
        #expect(recorder.objects(NSUpdatedObjectsKey) == [tidy])
        tidy.text = "x"
        try stack.context.save()
        #expect(tidy.validations == 3)
    }

    @Test("A replaced value has to be valid, too")
    func invalid() throws {
        tidy.text = "ABCD"
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectValidation)
        #expect(error?.localizedDescription == "too long")
        #expect(stack.context.hasChanges)
        tidy.text = "abc"
        try stack.context.save()
    }

    @Test("Validation that always changes something stops the process with Apple's text")
    func endless() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let suite = try ValidationReplacementTests()
            suite.tidy.isNeverSatisfied = true
            suite.tidy.text = "a"
            try suite.stack.context.save()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("a bad validation method, -willSave"), "\(output.prefix(400))")
    }
}
