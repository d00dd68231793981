import FoundationGaps
import Synchronization

/// The identity of a managed object, valid in every context of a coordinator.
///
/// An object that was never saved has a temporary ID; the save (or
/// `NSManagedObjectContext.obtainPermanentIDs(for:)`) replaces it with a permanent one.
///
/// Unchecked because everything but the weak reference to the store is immutable, weak references
/// are atomic, and the descriptions of a model in use never change.
public final class NSManagedObjectID: NSObject, NSFetchRequestResult, NSCopying, @unchecked Sendable
{
    /// The object's identity within its store and entity.
    enum Reference: Hashable {
        case temporary(UInt64)
        /// In a box, because most references are numbers, and every object has an ID.
        indirect case string(String)
        /// A string that is the decimal form of an integer, as the keys of most stores are.
        case decimal(Int64)
        case number(NSNumber)

        /// The reference that a string represents.
        init(text: String) {
            let number = Int64(text).flatMap { String($0) == text ? $0 : nil }
            self = number.map { .decimal($0) } ?? .string(text)
        }

        /// A hash of the reference and an entity.
        fileprivate func hashValue(with entity: ObjectIdentifier) -> Int {
            switch self {
            // Serial numbers are unique, so there is nothing to mix.
            case .temporary(let serial): return Int(truncatingIfNeeded: serial)
            case .decimal(let number):
                // A multiplication is enough to mix consecutive numbers.
                let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
                return Int(bitPattern: entity) ^ Int(truncatingIfNeeded: mixed)
            case .string, .number:
                var hasher = Hasher()
                hasher.combine(entity)
                hasher.combine(self)
                return hasher.finalize()
            }
        }
    }

    /// The entity of the object, never a parent of it.
    public let entity: NSEntityDescription

    let reference: Reference
    let storeReference: StoreReference?
    private let precomputedHash: Int

    init(entity: NSEntityDescription, reference: Reference, store: StoreReference?) {
        self.entity = entity
        self.reference = reference
        self.storeReference = store
        self.precomputedHash = reference.hashValue(with: ObjectIdentifier(entity))
        super.init()
    }

    /// A new temporary ID, different from every other of this process.
    convenience init(temporaryFor entity: NSEntityDescription, store: StoreReference? = nil) {
        self.init(
            entity: entity, reference: .temporary(TemporaryReferences.shared.next()), store: store)
    }

    /// Whether the object is not in a store yet.
    public var isTemporaryID: Bool {
        if case .temporary = reference { return true }
        return false
    }

    /// The store that contains the object; nil for a temporary ID without one, and when the store
    /// has been removed.
    public weak var persistentStore: NSPersistentStore? { storeReference?.store }

    /// The ID as a URL that `NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)`
    /// converts back to the same ID, even after a relaunch if the ID is permanent.
    ///
    /// The form is `x-coredata://<store UUID>/<entity>/p<reference>`, and `t<UUID>` in the last
    /// component for a temporary ID.
    public func uriRepresentation() -> URL {
        var components = URLComponents()
        components.scheme = "x-coredata"
        components.host = storeReference?.identifier ?? ""
        components.path = "/\(entity.name ?? "")/\(referenceText)"
        guard let url = components.url else {
            raise(.internalInconsistency, "The object ID \(referenceText) has no URI.")
        }
        return url
    }

    private var referenceText: String {
        switch reference {
        case .temporary(let serial): "t\(TemporaryReferences.shared.text(of: serial))"
        case .string(let text): "p\(text)"
        case .decimal(let number): "p\(number)"
        case .number(let number): "p\(number)"
        }
    }

    // MARK: - Equality

    /// Whether both identify the same object: `==` without its casts.
    func isSame(as other: NSManagedObjectID) -> Bool {
        if self === other { return true }
        return precomputedHash == other.precomputedHash
            && entity === other.entity
            && reference == other.reference
            && (storeReference === other.storeReference || isTemporaryID)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let object, let other = _exactly(object, NSManagedObjectID.self) else { return false }
        return isSame(as: other)
    }

    public override var hash: Int { precomputedHash }

    /// The ID itself: it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override var description: String { uriRepresentation().absoluteString }
}

extension NSManagedObjectID {
    /// An ID as a key of a dictionary, hashed and compared without `NSObject`.
    struct Key: Hashable {
        let objectID: NSManagedObjectID

        init(_ objectID: NSManagedObjectID) {
            self.objectID = objectID
        }

        static func == (left: Key, right: Key) -> Bool {
            left.objectID.isSame(as: right.objectID)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(objectID.precomputedHash)
        }
    }
}

/// The serial numbers of temporary IDs, and their printed form.
///
/// A number is far cheaper to create than a UUID; with a prefix chosen once per process it prints
/// as one.
final class TemporaryReferences: Sendable {
    static let shared = TemporaryReferences()

    private let prefix = UInt64.random(in: .min ... .max)
    private let last = Atomic<UInt64>(0)

    func next() -> UInt64 {
        last.add(1, ordering: .relaxed).newValue
    }

    func text(of serial: UInt64) -> String {
        let digits = Self.hexadecimal(prefix) + Self.hexadecimal(serial)
        var groups: [Substring] = []
        var rest = Substring(digits)
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A store as its object IDs refer to it. It outlives the store, and represents the store's
/// identity.
///
/// Unchecked because the weak reference is atomic and the identifier is guarded by a lock.
final class StoreReference: @unchecked Sendable {
    private(set) weak var store: NSPersistentStore?
    /// The store's ``NSPersistentStore/number``.
    let number: UInt64
    private let storedIdentifier = Locked<String>("")

    init(_ store: NSPersistentStore) {
        self.store = store
        number = store.number
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// A number that no store of this process has had.
    static func nextNumber() -> UInt64 {
        lastNumber.add(1, ordering: .relaxed).newValue
    }

    /// The store's UUID, the host of its URIs.
    var identifier: String {
        get { storedIdentifier.withLock { $0 } }
        set { storedIdentifier.withLock { $0 = newValue } }
    }
}
