import Testing

@Suite("Importing Core Data") struct ImportTests {
    @Test(
        "A file that uses Core Data without importing it gets the import",
        arguments: [
            Porting(
                "// Tests.\n\nimport XCTest\n@testable import Model\n\nlet c: NSManagedObjectContext",
                "// Tests.\n\nimport CoreData\nimport XCTest\n@testable import Model\n\n"
                    + "let c: NSManagedObjectContext"),
            Porting(
                "@testable import Model\nclass C { @NSManaged var x: Int }",
                "import CoreData\n@testable import Model\nclass C { @NSManaged var x: Int }"),
        ])
    func added(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
        #expect(Porting.port(example.result) == example.result)
    }

    @Test(
        "Other files do not get it",
        arguments: [
            "import CoreData\nlet c: NSManagedObjectContext",
            "import Foundation\nlet p: NSPredicate",
            "import Foundation\nlet s: NSAttributedString",
            "import class CoreData.NSManagedObject\nlet o: NSManagedObject",
            "#if os(iOS)\nimport UIKit\nlet c: NSManagedObjectContext\n#endif",
        ])
    func notAdded(source: String) {
        #expect(Porting.port(source) == source)
    }

    @Test("A submodule becomes its module")
    func submodule() {
        #expect(
            Porting.port("import CoreData.CoreDataDefines\nlet x = 1")
                == "import CoreData\nlet x = 1")
        #expect(Porting.port("import Foundation.NSDate.More") == "import Foundation")
    }

    @Test("The import of os is hidden from Linux, with its submodules")
    func logging() {
        let result = "#if canImport(os)\nimport os.lock\n#endif\nlet x = 1"
        #expect(Porting.port("import os.lock\nlet x = 1") == result)
        #expect(Porting.port(result) == result)
        #expect(
            Porting.port("import OSLog // Logger\n")
                == "#if canImport(OSLog)\nimport OSLog // Logger\n#endif\n")
    }

    @Test("A file with a predicate gets it if other files of the folder use Core Data")
    func predicates() throws {
        let folder = try Folder([
            "A.swift": "import CoreData\n", "B.swift": "import XCTest\nlet p: NSPredicate\n",
        ])
        try folder.run()
        #expect(
            try folder.files()["B.swift"] == "import CoreData\nimport XCTest\nlet p: NSPredicate\n")
    }
}
