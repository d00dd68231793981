import Foundation
import Testing

@Suite("The command seam3")
struct InspectorTests {
    @Test(
        "Each command has help with an example",
        arguments: [
            "status", "check", "outbox", "records", "model", "adopt", "schema", "sql",
        ])
    func help(command: String) throws {
        let run = try Command.seam3.run(command, "--help")
        #expect(run.code == 0)
        #expect(run.output.contains("Example: seam3 \(command) "))
    }

    @Test("A word that is no command lists the commands and suggests the nearest")
    func unknownCommand() throws {
        let run = try Command.seam3.run("stauts")
        #expect(run.code == 64)
        #expect(run.errors.contains("There is no command \"stauts\". Did you mean status?"))
        #expect(run.errors.contains("  outbox   List the changes"))
        let help = try Command.seam3.run("help", "stauts")
        #expect(help.code == 64)
        #expect(help.errors.contains("Did you mean status?"))
    }

    @Test("Status shows the pending changes and the objects by entity")
    func status() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run("status", world.store, "--model", World.model)
        #expect(run.code == 0)
        #expect(run.output.contains("Pending changes:  1\n"))
        #expect(run.output.contains("  Clock    2        1          0          0          0\n"))
        #expect(run.output.contains("  Country  249      0 "))
        #expect(run.errors.isEmpty)
    }

    @Test("Status of a file of Core Data's own store names the command that adopts it")
    func statusOfCoreDataFile() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("Old.sqlite").path
        try SQLiteFile.write(SQLiteFile.coreDataFolders, to: file)
        let run = try Command.seam3.run("status", file, "--model", World.model)
        #expect(run.code == 1)
        #expect(run.errors.contains("`seam3 adopt --dry-run`"), "\(run.errors)")
    }

    @Test("The help of outbox explains its columns")
    func outboxColumns() throws {
        let run = try Command.seam3.run("outbox", "--help")
        // The lines are as wide as the terminal.
        let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("Resent are those that are sent although nobody has"), "\(text)")
    }

    @Test("With --verbose the store's log is on the standard error")
    func log() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run("status", world.store, "--model", World.model, "--verbose")
        #expect(run.code == 0)
        #expect(run.errors.contains("SQL: "))
    }

    @Test("A command that needs a model says so")
    func missingModel() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run("status", world.store)
        #expect(run.code == 64)
        #expect(run.errors.contains("Missing expected argument '--model <model>'"))
        let wrong = try Command.seam3.run("status", world.store, "--model", "nowhere")
        #expect(wrong.code == 1)
        #expect(wrong.errors == "Error: There is no model at nowhere.\n")
    }

    @Test("Check tells a sound store from a damaged one by its exit code")
    func check() throws {
        let world = try World.withPhone()
        let sound = try Command.seam3.run("check", world.store, "--model", World.model)
        #expect(sound.code == 0)
        #expect(sound.output.contains("The store is sound"))

        try SQLiteFile.write("DELETE FROM Clock", to: world.store)
        let damaged = try Command.seam3.run("check", world.store, "--model", World.model)
        #expect(damaged.code == 1)
        #expect(damaged.output.contains("objectHasRow"))
    }

    @Test("Outbox lists the changes that wait, without a model")
    func outbox() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run("outbox", world.store)
        #expect(run.code == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("  Clock   insert  waiting  all ") == true)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let readme = try String(
            contentsOf: folder.appendingPathComponent("../../../README.md"), encoding: .utf8)
        #expect(readme.contains("\n\(lines[0])\n\(lines[1])\n"), "README shows other columns")
    }

    @Test("Outbox names the changed properties of an update")
    func outboxOfUpdate() throws {
        let world = try World.withPhone()
        for arguments in [["sync"], ["edit", "Office", "--note", "new", "--offline"]] {
            let run = try Command.demo.run(arguments + ["--cloud", world.path])
            try #require(run.code == 0, "\(run.errors)")
        }
        let run = try Command.seam3.run("outbox", world.store)
        #expect(run.output.contains(/Clock +update +waiting +note\b/), "\(run.output)")
    }

    @Test("Records counts the records of a cloud by type, and lists those of one")
    func records() throws {
        let world = try World.withPhone()
        let counts = try Command.seam3.run("records", world.cloud)
        #expect(counts.code == 0)
        #expect(counts.output.contains("iCloud.org.example.WorldClock  development"))
        #expect(counts.output.contains(/Country +249\n/))
        let clocks = try Command.seam3.run("records", world.cloud, "--type", "Clock")
        #expect(clocks.code == 0)
        #expect(clocks.output.contains("Office"))
        #expect(!clocks.output.contains("Home"))
    }

    @Test("Records suggests the nearest type, and the cloud inside a directory")
    func unknownRecords() throws {
        let world = try World.withPhone()
        let type = try Command.seam3.run("records", world.cloud, "--type", "Clok")
        #expect(type.code == 1)
        #expect(type.errors.contains("There is no record type Clok. Did you mean Clock?"))
        let outer = try Command.seam3.run("records", world.path)
        #expect(outer.code == 1)
        #expect(outer.errors.contains("Did you mean \(world.cloud)?"))
    }

    @Test("Records shows default zones and the public database, all or the named ones")
    func otherDatabases() async throws {
        let world = try World.withPhone()
        try await world.save("Note", texts: ["mine"], in: .private)
        try await world.save("Notice", texts: ["for all"], in: .public)
        let all = try Command.seam3.run("records", world.cloud)
        #expect(all.code == 0)
        #expect(all.output.contains(/private +_defaultZone +Note +1\n/))
        #expect(all.output.contains(/public +_defaultZone +Notice +1\n/))
        #expect(all.output.contains(/Country +249\n/))

        let database = try Command.seam3.run("records", world.cloud, "--database", "public")
        #expect(database.output.contains("Notice"))
        #expect(!database.output.contains("private"))
        let zone = try Command.seam3.run("records", world.cloud, "--zone", "_defaultZone")
        #expect(zone.output.contains("Notice"))
        #expect(!zone.output.contains("Country"))
        let shared = try Command.seam3.run("records", world.cloud, "--database", "shared")
        #expect(shared.code == 0)
        #expect(!shared.output.contains("_defaultZone"))

        let list = try Command.seam3.run("records", world.cloud, "--type", "Notice")
        #expect(list.code == 0)
        #expect(list.output.contains("for all"))
    }

    @Test("Records of one type in several databases are listed with their database")
    func listOfDatabases() async throws {
        let world = try World.withPhone()
        try await world.save("Note", texts: ["mine"], in: .private)
        try await world.save("Note", texts: ["for all"], in: .public)
        let list = try Command.seam3.run("records", world.cloud, "--type", "Note")
        #expect(list.code == 0)
        #expect(list.output.contains(/private .* mine\n/))
        #expect(list.output.contains(/public .* for all\n/))
    }

    @Test("Records lists every record of a default zone, whatever the size of a page")
    func manyRecords() async throws {
        let world = try World.withPhone()
        try await world.save("Note", texts: (0..<450).map { "\($0)" }, in: .public)
        let counts = try Command.seam3.run("records", world.cloud)
        #expect(counts.output.contains(/Note +450\n/))
    }

    @Test("Records lists the users who have records, and shows those of a named one")
    func users() async throws {
        let world = try World.withPhone()
        try await world.save("Note", texts: ["a", "b"], in: .private, user: "ann")
        let all = try Command.seam3.run("records", world.cloud)
        #expect(all.code == 0)
        #expect(all.output.contains(/Country +249\n/))
        #expect(all.output.contains("ann (2 records), default ("), "\(all.output)")
        #expect(all.output.contains("--user"))
        let ann = try Command.seam3.run("records", world.cloud, "--user", "ann")
        #expect(ann.code == 0)
        #expect(ann.output.contains(/private +_defaultZone +Note +2\n/))
        #expect(!ann.output.contains("Country"))
        let list = try Command.seam3.run("records", world.cloud, "--user", "ann", "--type", "Note")
        #expect(list.output.split(separator: "\n").count == 4, "\(list.output)")
        let misspelled = try Command.seam3.run("records", world.cloud, "--user", "an")
        #expect(misspelled.code == 1)
        #expect(misspelled.errors.contains("Did you mean ann?"), "\(misspelled.errors)")
        let type = try Command.seam3.run("records", world.cloud, "--type", "Note")
        #expect(type.code == 1)
        #expect(type.errors.contains("ann (2 records)"), "\(type.errors)")
    }

    @Test("Records lists the users also if the default user has no records")
    func usersWithoutDefault() async throws {
        let world = try World()
        try await world.save("Note", texts: ["a"], in: .private, user: "ann")
        let all = try Command.seam3.run("records", world.cloud)
        #expect(all.code == 0)
        #expect(all.output.contains("ann (1 records)"), "\(all.output)")
    }

    @Test("Records leaves out default zones without records, unless they are named")
    func emptyDefaultZone() throws {
        let world = try World.withPhone()
        let all = try Command.seam3.run("records", world.cloud)
        #expect(!all.output.contains("_defaultZone"))
        let named = try Command.seam3.run("records", world.cloud, "--zone", "_defaultZone")
        #expect(named.code == 0)
        #expect(named.output.contains(/public +_defaultZone +– +0\n/))
    }

    @Test(
        "Records suggests the nearest zone and database",
        arguments: [
            ("--zone", "_defaultZon", "There is no zone _defaultZon. Did you mean _defaultZone?"),
            ("--database", "privat", "There is no database privat. Did you mean private?"),
            (
                "--database", "mine",
                "There is no database mine. The databases are private, public and shared."
            ),
        ])
    func unknownPlace(option: String, value: String, message: String) throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run("records", world.cloud, option, value)
        #expect(run.code == 1)
        #expect(run.errors.contains(message))
    }

    @Test("A zone that another database has is unknown in the named one")
    func zoneOfAnotherDatabase() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run(
            "records", world.cloud, "--database", "shared", "--zone", "_defaultZone")
        #expect(run.code == 1)
        #expect(
            run.errors.contains("There is no zone _defaultZone. The shared database has none."))
    }

    @Test("Model compares the file's model with another")
    func model() throws {
        let world = try World.withPhone()
        let alone = try Command.seam3.run("model", world.store)
        #expect(alone.code == 0)
        #expect(alone.output.contains("  Country  "))
        let same = try Command.seam3.run("model", world.store, "--model", World.model)
        #expect(same.code == 0)
        #expect(same.output.contains("The store is of this model."))

        let directory = try TemporaryDirectory()
        let other = directory.file("Other.xcdatamodeld")
        try FileManager.default.copyItem(atPath: World.model, toPath: other.path)
        let contents = other.appendingPathComponent("WorldClock.xcdatamodel/contents")
        let text = try String(contentsOf: contents, encoding: .utf8)
        try text.replacingOccurrences(of: "name=\"note\"", with: "name=\"remark\"")
            .write(to: contents, atomically: true, encoding: .utf8)
        let changed = try Command.seam3.run("model", world.store, "--model", other.path)
        #expect(changed.code == 1)
        #expect(changed.output.contains("changed"))
        let status = try Command.seam3.run("status", world.store, "--model", other.path)
        #expect(status.code == 1)
        #expect(
            status.errors.contains("The file was written with another model than"),
            "\(status.errors)")
        #expect(status.errors.contains("--model"))
        #expect(!status.errors.contains("NSMigrate"))
    }

    @Test("Status finds the version of the model that the file was written with")
    func formerModel() throws {
        let world = try World.withPhone()
        let directory = try TemporaryDirectory()
        let models = directory.file("WorldClock.xcdatamodeld")
        try FileManager.default.copyItem(atPath: World.model, toPath: models.path)
        let contents = models.appendingPathComponent("WorldClock.xcdatamodel/contents")
        let next = models.appendingPathComponent("WorldClock 2.xcdatamodel")
        try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
        let text = try String(contentsOf: contents, encoding: .utf8)
        try text.replacingOccurrences(of: "name=\"note\"", with: "name=\"remark\"")
            .write(to: next.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
        <string>WorldClock 2.xcdatamodel</string></dict></plist>
        """.write(
            to: models.appendingPathComponent(".xccurrentversion"), atomically: true,
            encoding: .utf8)
        let status = try Command.seam3.run("status", world.store, "--model", models.path)
        #expect(status.code == 0, "\(status.errors)")
        #expect(status.output.contains("Pending changes:  1\n"))
    }

    @Test("Adopt reports what it would do, and leaves the file as it is")
    func adopt() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("Old.sqlite")
        try SQLiteFile.write(SQLiteFile.coreDataFolders, to: file.path)
        let before = try Data(contentsOf: file)
        let run = try Command.seam3.run(
            "adopt", file.path, "--model", World.model, "--dry-run")
        #expect(run.code == 0)
        #expect(run.output.contains("  Folder       2      2        0        0"))
        #expect(run.output.contains("2 objects would be adopted. Nothing has been written."))
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("Adopt counts only what is adopted, and doubts a model that lacks the file's tables")
    func adoptWithWrongModel() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("Old.sqlite")
        try SQLiteFile.write(
            SQLiteFile.coreDataFolders + """
                INSERT INTO Z_PRIMARYKEY VALUES (2, 'Recipe', 0, 3);
                CREATE TABLE ZRECIPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
                INSERT INTO ZRECIPE VALUES (1, 2, 1, 'Soup'), (2, 2, 1, 'Bread'), (3, 2, 1, 'Tea');
                """, to: file.path)
        let run = try Command.seam3.run("adopt", file.path, "--model", World.model, "--dry-run")
        #expect(run.code == 0)
        #expect(run.output.contains("2 objects would be adopted."), "\(run.output)")
        #expect(
            run.output.contains(
                "Nothing of ZRECIPE (3): is \(World.model) the model of this file?"),
            "\(run.output)")
    }

    @Test("Adopt makes a store whose objects wait for the server")
    func adoptForReal() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("Old.sqlite").path
        try SQLiteFile.write(SQLiteFile.coreDataFolders, to: file)
        let run = try Command.seam3.run("adopt", file, "--model", World.model)
        #expect(run.code == 0)
        #expect(run.output.contains("2 objects adopted. The old file is "))
        let outbox = try Command.seam3.run("outbox", file)
        #expect(outbox.output.split(separator: "\n").count { $0.contains("Folder  insert") } == 2)
    }

    @Test("Adopt has nothing to do for a store of Seam3")
    func adoptStore() throws {
        let world = try World.withPhone()
        let run = try Command.seam3.run(
            "adopt", world.store, "--model", World.model, "--dry-run")
        #expect(run.code == 0)
        #expect(run.output.contains("There is nothing to adopt."))
    }

    @Test("Schema prints that of a model or of a cloud, and wants one of the two")
    func schema() throws {
        let world = try World.withPhone()
        for source in [["--model", World.model], ["--cloud", world.cloud]] {
            let run = try Command.seam3.run("schema", source[0], source[1])
            #expect(run.code == 0)
            #expect(run.output.contains("RECORD TYPE Country ("))
        }
        #expect(try Command.seam3.run("schema").code == 64)
    }

    @Test("SQL reads, and refuses to write")
    func sql() throws {
        let world = try World.withPhone()
        let read = try Command.seam3.run(
            "sql", world.store, "SELECT count(*) AS countries FROM Country")
        #expect(read.code == 0)
        #expect(read.output == "  countries\n  ─────────\n  249\n1 row\n")
        let write = try Command.seam3.run("sql", world.store, "DELETE FROM Country")
        #expect(write.code == 1)
        #expect(write.errors.contains("attempt to write a readonly database"))
    }

    @Test(
        "A file that is missing or is no store is told in a sentence",
        arguments: [
            "outbox", "model",
        ])
    func wrongFile(command: String) throws {
        let missing = try Command.seam3.run(command, "/nowhere/Clock.sqlite")
        #expect(missing.code == 1)
        #expect(missing.errors == "Error: There is no file at /nowhere/Clock.sqlite.\n")
        let directory = try TemporaryDirectory()
        let file = directory.file("Text.sqlite")
        try Data("This is no database, however long it may be.".utf8).write(to: file)
        let wrong = try Command.seam3.run(command, file.path)
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("file is not a database"))
    }
}
