import CoreData
import CoreDataFiles
import Seam3
import SeamSQLite

/// The forms in which Core Data may name the column of an element of a composite attribute.
enum ElementColumn: String, CaseIterable {
    case path = "ZPLACE_AREA_CODE"
    case afterUnderscore = "Z_PLACE_AREA_CODE"
    case dotted = "ZPLACE.AREA.CODE"
    case joined = "ZPLACEAREACODE"
    case joinedAfterUnderscore = "Z_PLACEAREACODE"
    case pathInAttribute = "ZAREA_CODE"
    case pathInAttributeAfterUnderscore = "Z_AREA_CODE"
    case element = "ZCODE"
    case elementAfterUnderscore = "Z_CODE"

    /// The name without the Z.
    func name(_ path: [String]) -> String {
        switch self {
        case .path: path.joined(separator: "_")
        case .afterUnderscore: "_" + path.joined(separator: "_")
        case .dotted: path.joined(separator: ".")
        case .joined: path.joined()
        case .joinedAfterUnderscore: "_" + path.joined()
        case .pathInAttribute: path.dropFirst().joined(separator: "_")
        case .pathInAttributeAfterUnderscore: "_" + path.dropFirst().joined(separator: "_")
        case .element: path.last ?? ""
        case .elementAfterUnderscore: "_" + (path.last ?? "")
        }
    }
}

extension NSAttributeDescription {
    /// A composite attribute with elements that are texts.
    static func composite(_ name: String, texts: String...) -> NSAttributeDescription {
        .composite(name, texts.map { NSAttributeDescription($0, .stringAttributeType) })
    }
}

extension StoreStack {
    /// The values of an attribute of all objects with a name that have one.
    func values(of attribute: String, _ entity: String = "Item") throws -> [String: NSObject] {
        try perform { context in
            var values: [String: NSObject] = [:]
            for object in try Device.all(entity, in: context) {
                let name = object.value(forKey: "name") as? String ?? ""
                values[name] = object.value(forKey: attribute) as? NSObject
            }
            return values
        }
    }
}
