import CoreData
import Testing

@Suite("A broken model folder")
struct BrokenModelFolderTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func failure(_ path: String) throws -> ManagedObjectModelFileError {
        try #require(throws: ManagedObjectModelFileError.self) {
            try NSManagedObjectModel(readingFrom: directory.url.appendingPathComponent(path))
        }
    }

    private func writeNote(_ text: String) throws {
        _ = try directory.writeModel("M.xcdatamodeld/M.xcdatamodel", body: "")
        _ = try directory.write(text, to: "M.xcdatamodeld/.xccurrentversion")
    }

    @Test("The entry of the current version is named if it names none")
    func missingVersion() throws {
        try writeNote(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
                <key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string>
            </dict></plist>
            """)
        let error = try failure("M.xcdatamodeld")
        #expect(error.url.lastPathComponent == ".xccurrentversion")
        #expect(error.attribute == "_XCCurrentVersionName")
        #expect(error.reason == "there is no version 'M 2.xcdatamodel'")
    }

    @Test("An entry of the current version that is not a property list is named")
    func brokenNote() throws {
        try writeNote("<plist><dict>")
        #expect(try failure("M.xcdatamodeld").url.lastPathComponent == ".xccurrentversion")
    }

    @Test("A version without contents is named, and so is the format of Xcode 3")
    func withoutContents() throws {
        _ = try directory.write("", to: "M.xcdatamodel/layout")
        let error = try failure("M.xcdatamodel")
        #expect(error.url.lastPathComponent == "M.xcdatamodel")
        #expect(error.reason.contains("'contents'"))
        _ = try directory.write("", to: "Old.xcdatamodel/elements")
        #expect(try failure("Old.xcdatamodel").reason.contains("Xcode 3"))
    }

    @Test("Contents that cannot be read are named")
    func unreadable() throws {
        _ = try directory.write("", to: "M.xcdatamodel/contents/inner")
        let error = try failure("M.xcdatamodel")
        #expect(error.url.lastPathComponent == "contents")
        #expect(error.reason.hasPrefix("it cannot be read"))
    }

    @Test(
        "A file in place of a folder, or a folder in place of a file, is named",
        arguments: ["M.xcdatamodeld", "M.xcdatamodel", "M.momd", "M.mom", "M.txt", "N.mom"])
    func wrongKind(name: String) throws {
        let isFile = name.hasPrefix("M")
        _ = try directory.write("no model", to: isFile ? name : name + "/inner")
        #expect(try failure(name).url.lastPathComponent == name)
    }

    @Test("A missing file is named")
    func missing() throws {
        let error = try failure("Gone.xcdatamodeld")
        #expect(error.url.lastPathComponent == "Gone.xcdatamodeld")
        #expect(error.reason == "there is no such file")
    }

    @Test(
        "Contents that are not XML, or that of something else, are refused with the line",
        arguments: [
            ("", 1), ("no model", 1), ("\n\n{\"entities\": []}", 3), ("bplist00", 1),
            ("<?xml version='1.0'?>\n<html/>", 2), ("<model/>\n<model/>", 2),
            ("<model>\n<entity name='A'>\n<attribute name='a' attr", 3),
            (String(repeating: "<a>", count: 200_000), 1),
        ])
    func noModel(text: String, line: Int) throws {
        _ = try directory.write(text, to: "M.xcdatamodel/contents")
        let error = try failure("M.xcdatamodel")
        #expect(error.url.lastPathComponent == "contents")
        #expect(error.line == line)
        #expect(error.description.contains("contents:\(line): "))
    }
}
