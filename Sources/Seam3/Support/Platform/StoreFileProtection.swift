import CoreData

/// When the system lets a store's files be read: the value of Core Data's option
/// `NSPersistentStoreFileProtectionKey`, for all files of the store.
enum StoreFileProtection: String, CaseIterable {
    // What Apple's frameworks do here is an assumption: SM-7.

    case complete = "NSFileProtectionComplete"
    case completeUnlessOpen = "NSFileProtectionCompleteUnlessOpen"
    case completeUntilFirstUserAuthentication =
        "NSFileProtectionCompleteUntilFirstUserAuthentication"
    case none = "NSFileProtectionNone"

    /// Core Data's name of the option, which is not declared on all systems.
    static let option = "NSPersistentStoreFileProtectionKey"

    /// The protection that the options of a store specify; nil for the system's default.
    init?(options: [AnyHashable: Any]?) {
        // Core Data's dictionaries contain the name itself.
        guard let name = options?[Self.option] as? String else { return nil }
        self.init(rawValue: name)
    }

    /// The problem with a value of the option; nil if there is none.
    static func reason(against value: Any) -> String? {
        let name = value as? String
        guard name.flatMap(Self.init(rawValue:)) == nil else { return nil }
        let names = allCases.map(\.rawValue)
        return "\(value) is none of \(names.joined(separator: ", "))."
            + (name.map { NearestName.question($0, among: names) } ?? "")
    }

    /// The flags for SQLite, for the file, its log and its index. Apple's SQLite defines these bits of
    /// `sqlite3_open_v2`; others ignore them.
    var openFlags: Int32 {
        switch self {
        case .complete: return 0x0010_0000
        case .completeUnlessOpen: return 0x0020_0000
        case .completeUntilFirstUserAuthentication: return 0x0030_0000
        case .none: return 0x0040_0000
        }
    }

    /// Protects items that SQLite does not write: a folder, whose new files inherit the protection,
    /// or a file.
    func apply(to url: URL) throws {
        #if canImport(ObjectiveC) && !os(macOS)
        try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType(rawValue: rawValue)], ofItemAtPath: url.path)
        #endif
    }
}
