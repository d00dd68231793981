import Foundation
import Testing

@testable import ManagedObjectClassGenerator

/// Compares the symbols that the tool generates with those that the compiler leaves undefined.
@Suite("Symbols of managed members")
struct MangledSymbolTests {
    @Test("Every symbol is the compiler's, for all types, names and nestings")
    func compiler() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("MangledSymbolTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Replaces the real module, whose location would take long to find.
        let framework = """
            import Foundation
            open class NSManagedObject: NSObject {}
            open class NSManagedObjectID: NSObject {}
            """
        try framework.write(
            to: folder.appendingPathComponent("CoreData.swift"), atomically: true, encoding: .utf8)
        try Self.source.write(
            to: folder.appendingPathComponent("Model.swift"), atomically: true, encoding: .utf8)
        _ = try Toolchain.run(
            "swiftc -parse-as-library -module-name CoreData -emit-module CoreData.swift", in: folder
        )
        _ = try Toolchain.run(
            "swiftc -parse-as-library -module-name Model -I. -emit-object Model.swift", in: folder)
        let undefined = try Toolchain.run("nm -u Model.o", in: folder)
            .split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
            .filter { $0.hasPrefix("$s5Model") }

        let generated = try TargetGenerator(
            module: "Model", sources: [("Model.swift", Array(Self.source.utf8))], models: []
        ).generate().text
        let made = generated.split(separator: "\"").map(String.init)
            .filter { $0.hasPrefix("$s5Model") }
        #expect(Set(made).symmetricDifference(undefined).sorted() == [])
        #expect(made.count > 200)
    }

    // MARK: - Compiled sources

    private static let valueTypes = [
        "Any", "AnyObject", "AnyHashable", "AttributedString", "Bool", "Calendar", "CharacterSet",
        "Data", "Date", "DateComponents", "DateInterval", "Decimal", "Double", "Float", "IndexPath",
        "IndexSet", "Int", "Int8", "Int16", "Int32", "Int64", "Locale", "PersonNameComponents",
        "String", "TimeInterval", "TimeZone", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "URL",
        "UUID",
        "NSArray", "NSAttributedString", "NSCalendar", "NSData", "NSDate", "NSDateComponents",
        "NSDateInterval", "NSDecimalNumber", "NSDictionary", "NSIndexPath", "NSIndexSet",
        "NSLocale", "NSMutableArray", "NSMutableAttributedString", "NSMutableData",
        "NSMutableDictionary", "NSMutableOrderedSet", "NSMutableSet", "NSMutableString",
        "NSNumber", "NSObject", "NSOrderedSet", "NSSet", "NSString", "NSTimeZone", "NSURL",
        "NSUUID", "NSValue", "NSManagedObject", "NSManagedObjectID",
        "Folder", "Clock", "Kind", "Space.Clock", "Space.Clock.Kind", "Model.Kind", "Swift.Int64",
        "Foundation.Date", "CoreData.NSManagedObject", "Folders",
    ]

    private static let genericTypes = [
        "[String]", "[Int]", "[UInt8]", "[Folder]", "[[Folder]]", "Set<String>", "Set<Folder>",
        "Set<Clock>", "[String: String]", "[String: Any]", "[Int: Int]", "[Date: Date]",
        "[String: Date]", "[NSNumber: NSNumber]", "[String: Set<String>]", "[AnyHashable: Any]",
        "[String: [String: Any]]", "Array<Date>", "Dictionary<String, Data>", "Optional<Date>",
        "[NSManagedObjectID]", "(Date)",
    ]

    /// Names that repeat words of the module, of the class or of each other, or that are not ASCII.
    private static let names = [
        "parentFolder", "folderOfTheClockAndTheFolder", "Clock", "Folder", "ClockFolder", "URL",
        "FoundationURL", "Model", "Foundation", "x1Folder2Folder", "snake_case_Clock", "_leading",
        "größe", "名前", "näme_ünder", "a", "aA", "AAA", "isModel", "clockClock", "ClockClockClock",
        "FoundationEssentials", "oneTwoThreeFourFiveSixSevenEightNineTenElevenTwelveClock",
    ]

    /// A module with a property of each type and name, and methods of each form.
    private static let source: String = {
        let types = valueTypes + genericTypes
        let plain = types.enumerated().map { "@NSManaged var p\($0): \($1)" }
        // Neither a double optional nor an optional of a composed name is in the table of types.
        let optional = types.enumerated().filter { $1 != "Optional<Date>" && $1 != "Folders" }
            .map { "@NSManaged public var o\($0): \($1)?" }
        let named = names.map { "@NSManaged var `\($0)`: Clock?" }
        let privates = names.enumerated().map { "@NSManaged private var secret\($0)\($1): Date?" }
        return """
            import CoreData
            import Foundation

            public enum Kind: Int32 { case first }
            typealias Folders = [Folder]?
            public class Folder: NSManagedObject {}
            public enum Space {
                public class Clock: NSManagedObject {
                    public enum Kind: Int { case first }
                    @NSManaged var kind: Kind
                    @NSManaged var top: Model.Kind
                    @NSManaged var clock: Clock?
                    @NSManaged var other: Model.Clock?
                }
            }
            public struct Box {
                public class Item: NSManagedObject {
                    @NSManaged var item: Box.Item?
                    @NSManaged var box: String
                }
            }
            class ClockFolder: NSManagedObject {
                \(named.filter { !$0.contains("ClockFolder") }.joined(separator: "\n    "))
                \(privates.joined(separator: "\n    "))
            }
            public class Clock: NSManagedObject {
                \(plain.joined(separator: "\n    "))
            }
            extension Clock {
                \(optional.joined(separator: "\n    "))
            }
            extension Clock {
                @NSManaged public func addToClocks(_ value: Clock)
                @NSManaged public func addToFolders(_ values: NSSet)
                @NSManaged func addToFolders(_ values: NSOrderedSet)
                @NSManaged func addToFolders(_ values: Set<Folder>)
                @NSManaged func removeFromClocks(_ value: Space.Clock)
                @NSManaged func insertIntoClocks(_ value: Clock, at idx: Int)
                @NSManaged func insertIntoClocks(_ values: [Clock], at indexes: NSIndexSet)
                @NSManaged func insertIntoFolders(_ values: [Folder], at indexes: IndexSet)
                @NSManaged func removeFromClocks(at idx: Int)
                @NSManaged func removeFromClocks(at indexes: NSIndexSet)
                @NSManaged func replaceClocks(at idx: Int, with value: Clock)
                @NSManaged func replaceFolders(at indexes: IndexSet, with values: [Folder])
                @NSManaged private func insertIntoSecrets(_ value: Clock, at idx: Int)
                @NSManaged private func addToSecrets(_ value: Clock)

                func useAll() {
                    let folder = Folder()
                    addToClocks(self)
                    addToFolders(NSSet())
                    addToFolders(NSOrderedSet())
                    addToFolders(Set<Folder>())
                    removeFromClocks(Space.Clock())
                    insertIntoClocks(self, at: 1)
                    insertIntoClocks([self], at: NSIndexSet())
                    insertIntoFolders([folder], at: IndexSet())
                    removeFromClocks(at: 1)
                    removeFromClocks(at: NSIndexSet())
                    replaceClocks(at: 1, with: self)
                    replaceFolders(at: IndexSet(), with: [folder])
                    insertIntoSecrets(self, at: 1)
                    addToSecrets(self)
                }
            }

            """
    }()
}
