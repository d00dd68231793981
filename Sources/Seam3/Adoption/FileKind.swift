import CoreData

/// What exists at the URL of a store file. Determining it does not change the file.
enum FileKind: Equatable {
    /// Nothing, or an empty file.
    case absent
    case store
    case coreData
    /// Something else, with a description.
    case other(String)

    /// Examines a file.
    ///
    /// A file of this store is recognized by its header, which is set before a write-ahead log
    /// exists. Any other file is examined in a copy, because SQLite writes to a file in WAL mode
    /// even when it reads it.
    init(at url: URL) throws {
        var attempt = 1
        while true {
            do {
                self = try Self.look(at: url)
                return
            } catch let error as CocoaError
                where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
                && attempt < Self.mostAttempts
            {
                // A closing connection has merged the log into the file, so the file is examined
                // again.
                attempt += 1
            }
        }
    }

    private static let mostAttempts = 10

    /// Whether there is a file of this store, by its header.
    static func isStore(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        // What cannot be read, such as a folder, is no store.
        return isStore(header: (try? handle.read(upToCount: 100)) ?? Data())
    }

    private static func isStore(header: Data) -> Bool {
        guard header.count == 100, header.prefix(16) == Data("SQLite format 3\0".utf8) else {
            return false
        }
        return header[68..<72].reduce(0) { $0 << 8 | Int64($1) } == FileLayout.applicationID
    }

    private static func look(at url: URL) throws -> FileKind {
        guard FileManager.default.fileExists(atPath: url.path) else { return .absent }
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let header = try handle.read(upToCount: 100) ?? Data()
        guard !header.isEmpty else { return .absent }
        guard header.count == 100, header.prefix(16) == Data("SQLite format 3\0".utf8) else {
            return .other(description(of: header))
        }
        if isStore(header: header) { return .store }
        return try withCopy(of: url, kind(ofCopy:))
    }

    /// Describes a file that is not a database: Core Data has two other store types.
    private static func description(of header: Data) -> String {
        let kind: String
        if header.starts(with: Data("bplist".utf8)) {
            kind = "a binary store of Core Data (NSBinaryStoreType)"
        } else if header.starts(with: Data("<?xml".utf8)) {
            kind = "an XML store of Core Data (NSXMLStoreType)"
        } else {
            return "it is not a SQLite database"
        }
        return
            "it may be \(kind), which only Apple's systems read: open it there, move it to a SQLite"
            + " store with migratePersistentStore(_:to:options:withType:), and adopt that with the"
            + " option SMStoreAdoptionOption"
    }

    /// The advice in an error about a file of Core Data that is not adopted.
    static let adoptionAdvice =
        "it is a Core Data SQLite store: set the option SMStoreAdoptionOption to adopt it, or"
        + " call SMStore.adoptFile(at:model:isDryRun:) before the store is added. A dry run only reports"

    /// Calls a closure with a copy of a database, which ends with the call.
    static func withCopy<T>(of url: URL, _ body: (URL) throws -> T) throws -> T {
        try PrivateFile.withTemporaryFolder("Seam3") { folder in
            try body(copy(url, to: folder))
        }
    }

    /// Copies a database with its write-ahead log.
    static func copy(_ url: URL, to folder: URL) throws -> URL {
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    private static func kind(ofCopy copy: URL) throws -> FileKind {
        do {
            let connection = try SQLiteConnection(path: copy.path)
            let tables = Set(
                try connection.rows("SELECT name FROM sqlite_master") { $0.text(at: 0) })
            if tables.contains(MetadataTable.name) || tables.isEmpty { return .store }
            if tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) { return .coreData }
            return .other("it has other tables")
        } catch let error as SQLiteError {
            return .other(error.message)
        }
    }
}
