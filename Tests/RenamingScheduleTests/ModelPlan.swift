import CoreData
import Seam3

/// The versions of an app's model. They differ in the names of entities and properties, and some of
/// them in what they have and sync, which is their level.
struct ModelPlan {
    /// How a version tells which names a renamed entity or property has in CloudKit.
    enum FieldNaming: String {
        /// By renaming identifiers alone.
        case identifiers
        /// From the first renaming on also by the user info, with the first name.
        case firstNames
        /// By the user info of all versions, with another name.
        case otherNames
    }

    var deviceCount = 2
    var policy = SMSyncConflictResolutionPolicy.serverRecordWins
    var hasNaturalKeys = true
    var hasOneToOne = true
    var fieldNaming = FieldNaming.identifiers
    /// Whether what still has its first name has a renaming identifier, too.
    var alwaysIdentifies = true
    /// Whether a renaming identifier is the name in the previous version, not the first one. Then no
    /// version can be skipped, and an element is renamed once at most and keeps its identifier.
    var identifiesPrevious = false
    /// Whether there are composite, transformable and derived attributes.
    var isRich = false
    /// Whether the composite attribute has an element that is composite, too.
    var nestsElements = false
    /// The policies of entities that have their own, by role.
    var entityPolicies: [String: SMSyncConflictResolutionPolicy] = [:]
    /// The rules other than "nullify".
    var deleteRules: [String: NSDeleteRule] = [:]
    /// The first level at which a property exists.
    var addedFrom: [String: Int] = [:]
    /// The first level at which a property is synced.
    var syncedFrom: [String: Int] = [:]
    /// The level at which a property stays on the device.
    var localAt: [String: Int] = [:]
    /// The first level at which a property has another field in CloudKit.
    var movedFrom: [String: Int] = [:]
    /// The first level at which a property is optional.
    var optionalFrom: [String: Int] = [:]
    /// The versions' levels.
    var levels = [0]
    /// The versions' names, by role, as far as they differ from the first ones.
    var names: [[String: String]] = [[:]]
    /// Roles that have no renaming identifier although they have another name, which is a mistake.
    var unidentified: Set<String> = []

    var lastVersion: Int { levels.count - 1 }
    var lastLevel: Int { levels.max() ?? 0 }

    func name(_ role: String, in version: Int) -> String {
        names[version][role] ?? ModelRoles.firstName(role)
    }

    func has(_ role: String, level: Int) -> Bool {
        if let first = addedFrom[role] { return level >= first }
        if ModelRoles.rich.contains(role) { return isRich }
        return hasOneToOne || !["Box.chief", "Item.chiefOf"].contains(role)
    }

    func syncs(_ role: String, level: Int) -> Bool {
        if let first = syncedFrom[role], level < first { return false }
        return localAt[role] != level
    }

    /// The elements of a composite attribute, or of a composite element.
    func elements(of role: String) -> [ElementRole] {
        ModelRoles.elements.filter {
            $0.parent == role && (nestsElements || !$0.isNested)
        }
    }

    /// Whether a model can have the names, and its identifiers tell what each thing is in CloudKit.
    var isPossible: Bool {
        let families = ModelRoles.families.map { family in
            ModelRoles.properties.filter { family.contains(ModelRoles.entity(of: $0)) }
        }
        let siblings = ModelRoles.composites.map { elements(of: $0).map(\.role) }
        // No two entities, properties or elements share a name.
        let areUnique = names.indices.allSatisfy { version in
            ([ModelRoles.entities] + families + siblings).allSatisfy { roles in
                Set(roles.map { name($0, in: version) }).count == roles.count
            }
        }
        guard areUnique, identifiesPrevious else { return areUnique }
        return fieldNaming != .identifiers
            && ([ModelRoles.entities] + families + siblings).allSatisfy(takesFreshNames)
            && ModelRoles.properties.filter(isManyToMany).allSatisfy { renamings(of: $0) == 0 }
            && siblings.joined().allSatisfy { renamings(of: $0) <= 1 }
    }

    /// In how many versions something has another name than in the one before.
    func renamings(of role: String) -> Int {
        names.indices.dropFirst().filter { name(role, in: $0) != name(role, in: $0 - 1) }.count
    }

    /// Whether nothing gets a name that it or another one of the roles had before.
    private func takesFreshNames(_ roles: [String]) -> Bool {
        var former = Set(roles.map(ModelRoles.firstName))
        for version in names.indices.dropFirst() {
            let new = roles.filter { name($0, in: version) != name($0, in: version - 1) }
                .map { name($0, in: version) }
            if !former.isDisjoint(with: new) { return false }
            former.formUnion(new)
        }
        return true
    }

    // MARK: - Printing

    /// The plan as Swift code, without what is as usual.
    var swift: String {
        let usual = Self()
        var parts: [String] = []
        func add(_ name: String, _ value: String, _ usual: String) {
            if value != usual { parts.append("\(name): \(value)") }
        }
        add("deviceCount", "\(deviceCount)", "\(usual.deviceCount)")
        add("policy", ".\(policy)", ".\(usual.policy)")
        add("hasNaturalKeys", "\(hasNaturalKeys)", "\(usual.hasNaturalKeys)")
        add("hasOneToOne", "\(hasOneToOne)", "\(usual.hasOneToOne)")
        add("fieldNaming", ".\(fieldNaming)", ".\(usual.fieldNaming)")
        add("alwaysIdentifies", "\(alwaysIdentifies)", "\(usual.alwaysIdentifies)")
        add("identifiesPrevious", "\(identifiesPrevious)", "\(usual.identifiesPrevious)")
        add("isRich", "\(isRich)", "\(usual.isRich)")
        add("nestsElements", "\(nestsElements)", "\(usual.nestsElements)")
        add("entityPolicies", Self.swift(entityPolicies.mapValues { ".\($0)" }), "[:]")
        let rules = deleteRules.mapValues { $0.swift }
        add("deleteRules", Self.swift(rules), "[:]")
        for (name, value) in [
            ("addedFrom", addedFrom), ("syncedFrom", syncedFrom), ("localAt", localAt),
            ("movedFrom", movedFrom), ("optionalFrom", optionalFrom),
        ] {
            add(name, Self.swift(value.mapValues(String.init)), "[:]")
        }
        add("levels", "\(levels)", "\(usual.levels)")
        let texts = names.map { Self.swift($0.mapValues { "\"\($0)\"" }) }
        add("names", "[\n        \(texts.joined(separator: ",\n        "))\n    ]", "")
        add("unidentified", "\(unidentified.sorted())", "[]")
        return "ModelPlan(\n    \(parts.joined(separator: ",\n    ")))"
    }

    private static func swift(_ values: [String: String]) -> String {
        if values.isEmpty { return "[:]" }
        let entries = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "[\(entries.joined(separator: ", "))]"
    }
}

extension NSDeleteRule {
    fileprivate var swift: String {
        switch self {
        case .cascadeDeleteRule: ".cascadeDeleteRule"
        case .denyDeleteRule: ".denyDeleteRule"
        default: ".nullifyDeleteRule"
        }
    }
}
