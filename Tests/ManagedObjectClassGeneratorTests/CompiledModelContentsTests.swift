import Foundation
import Testing

@testable import ManagedObjectClassGenerator

@Suite("A model under the names of a compiled one") struct CompiledModelContentsTests {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("CompiledModel-\(UUID().uuidString)")

    private func write(_ text: String, to path: String) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    }

    private func run(_ model: String, _ output: String) throws {
        try GeneratorCommand(arguments: [
            "--compile", folder.appendingPathComponent(model).path,
            "--output", folder.appendingPathComponent(output).path,
        ]).run()
    }

    @Test("A folder has each version and the name of the current one, and replaces an older folder")
    func versions() throws {
        try write("<model>1</model>", to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        try write("<model>2</model>", to: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
        let note = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": "Shop 2.xcdatamodel"], format: .xml,
            options: 0)
        try write(
            String(decoding: note, as: UTF8.self), to: "Shop.xcdatamodeld/.xccurrentversion")
        try write("old", to: "Shop.momd/Gone.mom")
        try run("Shop.xcdatamodeld", "Shop.momd")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("Shop.momd").path)
        #expect(names.sorted() == ["Shop 2.mom", "Shop.mom", "VersionInfo.plist"])
        #expect(try text("Shop.momd/Shop.mom") == "<model>1</model>")
        #expect(try text("Shop.momd/VersionInfo.plist").contains("<string>Shop 2</string>"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A model without versions is one file; a folder without a model is an error")
    func single() throws {
        try write("<model/>", to: "Shop.xcdatamodel/contents")
        try run("Shop.xcdatamodel", "Shop.mom")
        #expect(try text("Shop.mom") == "<model/>")
        #expect(throws: Diagnostic.self) { try run("None.xcdatamodel", "None.mom") }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A mapping model is one file with the contents that Xcode's editor wrote")
    func mappingModel() throws {
        try write("<database/>", to: "First to Second.xcmappingmodel/xcmapping.xml")
        try run("First to Second.xcmappingmodel", "First to Second.cdm")
        #expect(try text("First to Second.cdm") == "<database/>")
        try FileManager.default.removeItem(at: folder)
    }
}
