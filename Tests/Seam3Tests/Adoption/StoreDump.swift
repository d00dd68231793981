import CoreData

@testable import Seam3

/// The contents of a store as seen through Core Data, in the format of the reader in
/// `Tests/AdoptionReader`.
struct StoreDump {
    private(set) var lines: [String] = []
    /// Object → its root entity and its position among that entity's objects.
    private var labels: [NSManagedObjectID: String] = [:]

    init(_ stack: StoreStack) throws {
        let roots = stack.container.managedObjectModel.entities.filter { $0.superentity == nil }
            .compactMap(\.name).sorted()
        self = try stack.perform { context in
            var dump = StoreDump()
            var objects: [NSManagedObject] = []
            for root in roots {
                let members = try Device.all(root, in: context).sorted {
                    Self.number($0) < Self.number($1)
                }
                for (index, object) in members.enumerated() {
                    dump.labels[object.objectID] = "\(root)#\(index + 1)"
                }
                objects += members
            }
            for object in objects { dump.add(object) }
            return dump
        }
    }

    private init() {}

    private static func number(_ object: NSManagedObject) -> Int64 {
        let name = object.objectID.uriRepresentation().lastPathComponent
        return Int64(name.dropFirst()) ?? 0
    }

    private mutating func add(_ object: NSManagedObject) {
        let label = labels[object.objectID] ?? "?"
        lines.append("O\t\(label)\t\(object.entity.name ?? "")")
        for (name, attribute) in object.entity.attributesByName
        where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            if let text = Self.text(object.value(forKey: name), attribute.attributeType) {
                lines.append("A\t\(label)\t\(name)\t\(text)")
            }
        }
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isTransient {
            var members: [String]
            switch object.value(forKey: name) {
            case let set as NSOrderedSet: members = set.array.map(self.label)
            case let set as Set<NSManagedObject>: members = set.map(self.label).sorted()
            case let other as NSManagedObject: members = [self.label(other)]
            default: members = []
            }
            if !members.isEmpty {
                lines.append("R\t\(label)\t\(name)\t\(members.joined(separator: ","))")
            }
        }
    }

    private func label(_ object: Any) -> String {
        (object as? NSManagedObject).flatMap { labels[$0.objectID] } ?? "?"
    }

    private static func text(_ value: Any?, _ type: NSAttributeType) -> String? {
        guard let value else { return nil }
        switch type {
        case .booleanAttributeType: return (value as? NSNumber)?.boolValue == true ? "1" : "0"
        case .floatAttributeType:
            return (value as? NSNumber).map { hexadecimal($0.floatValue.bitPattern.bigEndian) }
        case .doubleAttributeType:
            return (value as? NSNumber).map { hexadecimal($0.doubleValue) }
        case .dateAttributeType:
            return (value as? Date).map { hexadecimal($0.timeIntervalSinceReferenceDate) }
        case .stringAttributeType: return (value as? String).map(quoted)
        case .URIAttributeType: return (value as? URL).map { quoted($0.absoluteString) }
        case .UUIDAttributeType: return (value as? UUID)?.uuidString
        case .binaryDataAttributeType, .transformableAttributeType:
            guard let data = value as? Data else { return "\(value)" }
            return "\(data.count):"
                + SHA256.digest(data).map { String(format: "%02x", $0) }.joined()
        default: return "\(value)"
        }
    }

    private static func hexadecimal(_ number: Double) -> String {
        hexadecimal((number + 0).bitPattern.bigEndian)
    }

    private static func hexadecimal<Bits: FixedWidthInteger>(_ bits: Bits) -> String {
        withUnsafeBytes(of: bits) { $0.map { String(format: "%02x", $0) }.joined() }
    }

    /// A JSON string with ASCII characters only.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0x08: result += "\\b"
            case 0x0C: result += "\\f"
            case 0x20...0x7E: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: result += String(format: "\\u%04x", Int(unit))
            }
        }
        return result + "\""
    }
}
