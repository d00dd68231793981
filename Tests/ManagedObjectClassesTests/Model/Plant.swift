// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import CoreData

// Written as for Xcode. The test is that these files compile and work unchanged.

#if canImport(ObjectiveC)
@objc
#endif
enum Season: Int32 {
    case spring, summer, autumn, winter
}

public class Plant: NSManagedObject {
    enum Kind: Int16 {
        case herb, shrub, tree
    }

    @NSManaged public var name: String?
    @NSManaged public var leaves: Int64
    @NSManaged var isEdible: Bool
    @NSManaged var height: Double
    @NSManaged var season: Season
    @NSManaged var kind: Kind

    /// The number of times that ``nickname`` was set through its accessor.
    var nicknameChanges = 0

    /// A custom accessor over a primitive value that is private to this file.
    var nickname: String? {
        get {
            willAccessValue(forKey: "nickname")
            defer { didAccessValue(forKey: "nickname") }
            return primitiveNickname
        }
        set {
            willChangeValue(forKey: "nickname")
            primitiveNickname = newValue
            didChangeValue(forKey: "nickname")
            nicknameChanges += 1
        }
    }

    @NSManaged private var primitiveNickname: String?
}

class Tree: Plant {
    @NSManaged final var trunk: Float

    override var name: String? {
        get { super.name.map { "\($0) tree" } }
        set { super.name = newValue }
    }
}

/// A protocol witness calls the accessors, too.
protocol Named {
    var name: String? { get set }
}

extension Plant: Named {}
