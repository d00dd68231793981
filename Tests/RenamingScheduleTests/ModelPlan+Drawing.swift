import CoreData
import Seam3

extension ModelPlan {
    /// Draws the versions of a model.
    init(drawing dice: inout ScheduleDice, isRich: Bool = false) {
        self.isRich = isRich
        deviceCount = dice.chance(0.7) ? 2 : 3
        policy = dice.pick(Self.policies)
        hasNaturalKeys = dice.chance(0.75)
        hasOneToOne = hasNaturalKeys && dice.chance(0.5)
        fieldNaming = dice.pick([.identifiers, .firstNames, .otherNames])
        alwaysIdentifies = dice.chance(0.5)
        if isRich {
            // Then only the user info can keep the names in CloudKit.
            identifiesPrevious = dice.chance(0.3) && fieldNaming != .identifiers
            drawEntityPolicies(&dice)
        }
        drawDeleteRules(&dice)
        var last = 0
        if dice.chance(0.45) {
            last = 1 + dice.below(2)
            drawFirstLevels(upTo: last, &dice)
        }
        let count = 2 + dice.below(4)
        drawVersions(count, lastLevel: last, &dice)
    }

    /// In the order by which seeds choose one, which need not be that of the declaration.
    private static let policies: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .clientTellsWhichWins, .keepBoth, .mergeByProperty,
        .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]

    private mutating func drawEntityPolicies(_ dice: inout ScheduleDice) {
        for role in ModelRoles.entities where dice.chance(0.25) {
            entityPolicies[role] = dice.pick(Self.policies)
        }
    }

    private mutating func drawDeleteRules(_ dice: inout ScheduleDice) {
        for link in ModelRoles.links {
            let number = dice.below(10)
            if link.isToMany, number >= 6 {
                deleteRules[link.role] = number < 9 ? .cascadeDeleteRule : .denyDeleteRule
            } else if number == 9 {
                deleteRules[link.role] = .cascadeDeleteRule
            }
        }
    }

    /// Draws which properties come to the model, or to CloudKit, after the first level.
    private mutating func drawFirstLevels(upTo last: Int, _ dice: inout ScheduleDice) {
        for _ in 0..<(1 + dice.below(2)) {
            if dice.chance(0.25) {
                addedFrom["Item.extra"] = 1 + dice.below(last)
                continue
            }
            let role = dice.pick(
                [
                    "Item.title", "Item.title", "Item.count", "Item.date", "Item.blob", "Item.blob",
                    "Item.secret", "Box.label", "Gadget.special", "Item.box", "Item.shelf",
                    "Item.tags", "Item.labels", "Item.friends", "Item.parent",
                ] + (isRich ? ["Item.place", "Item.words"] : []))
            let level = 1 + dice.below(last)
            syncedFrom[role] = level
            if let link = ModelRoles.link(role) { syncedFrom[link.inverse] = level }
        }
    }

    private mutating func drawVersions(
        _ count: Int, lastLevel: Int, _ dice: inout ScheduleDice
    ) {
        let renamesEntities = dice.chance(0.35)
        // If a property could have the previous version's name of another one, an identifier could
        // mean either.
        var draft = NameDraft(
            density: dice.pick([0.1, 0.3, 0.6]), takesFreshNames: identifiesPrevious)
        var level = 0
        for version in 1..<count {
            var isRaised = false
            if level < lastLevel, version == 1 || dice.chance(0.5) {
                level += 1
                isRaised = true
            }
            // A step to another level also renames, or it comes alone between steps that rename.
            if !isRaised || dice.chance(0.4) {
                for entity in ModelRoles.entities {
                    draft.renameProperties(of: entity, &dice) { role in
                        if ModelRoles.rich.contains(role), !isRich { return false }
                        if identifiesPrevious, isManyToMany(role) { return false }
                        // A property cannot be renamed before it exists.
                        guard let first = addedFrom[role] else { return true }
                        return isRaised ? first < level : first <= level
                    }
                }
                if renamesEntities { draft.renameEntities(&dice) }
            }
            draft.endVersion()
            levels.append(level)
            names.append(
                draft.names.filter { $0.value != ModelRoles.firstName($0.key) })
        }
    }

    /// Whether a property has link records. No user info keeps their type.
    func isManyToMany(_ role: String) -> Bool {
        guard let link = ModelRoles.link(role), link.isToMany else { return false }
        return ModelRoles.link(link.inverse)?.isToMany ?? false
    }

    /// Draws more of what levels differ in.
    mutating func drawFieldChanges(_ dice: inout ScheduleDice) {
        guard lastLevel > 0 else { return }
        let rich = isRich ? ["Item.place", "Item.words"] : []
        for _ in 0..<(1 + dice.below(3)) {
            let level = 1 + dice.below(lastLevel)
            switch dice.below(4) {
            case 0, 1:
                let role = dice.pick(
                    [
                        "Item.title", "Item.count", "Item.date", "Item.blob", "Item.secret",
                        "Box.label", "Gadget.special", "Item.box", "Item.shelf", "Item.parent",
                        "Box.pic",
                    ] + rich)
                if syncedFrom[role] == nil { movedFrom[role] = level }
            case 2:
                let role = dice.pick(
                    [
                        "Item.title", "Item.date", "Item.blob", "Item.secret", "Box.label",
                        "Item.box", "Item.tags", "Item.friends", "Item.labels",
                    ] + rich)
                guard syncedFrom[role] == nil, movedFrom[role] == nil else { continue }
                localAt[role] = level
                if let link = ModelRoles.link(role) { localAt[link.inverse] = level }
            default:
                let role = dice.pick([
                    "Item.title", "Box.label", "Tag.color", "Item.date", "Item.secret",
                ])
                if syncedFrom[role] == nil, localAt[role] == nil { optionalFrom[role] = level }
            }
        }
    }
}

/// The names of the version that is being drawn, and of those before it.
struct NameDraft {
    /// How likely a property or an element is renamed.
    let density: Double
    /// Whether a name is never another property's or entity's former one.
    let takesFreshNames: Bool
    private(set) var names: [String: String] = [:]
    private var former: [[String: String]] = []
    private var freshCount = 0

    init(
        density: Double, takesFreshNames: Bool,
        roles: [String] = ModelRoles.entities + ModelRoles.properties
    ) {
        self.density = density
        self.takesFreshNames = takesFreshNames
        for role in roles { names[role] = ModelRoles.firstName(role) }
        former = [names]
    }

    mutating func endVersion() { former.append(names) }

    private func current(_ roles: [String]) -> [String] { roles.compactMap { names[$0] } }

    /// The names that the roles had in former versions and that are free.
    private func free(_ roles: [String]) -> [String] {
        if takesFreshNames { return [] }
        let taken = Set(current(roles))
        return former.flatMap { names in roles.compactMap { names[$0] } }
            .filter { !taken.contains($0) }.sorted()
    }

    private mutating func fresh(_ letters: [String], _ dice: inout ScheduleDice) -> String {
        freshCount += 1
        return dice.pick(letters) + "\(freshCount)"
    }

    mutating func renameProperties(
        of entity: String, _ dice: inout ScheduleDice, if canRename: (String) -> Bool
    ) {
        let family = ModelRoles.families.first { $0.contains(entity) } ?? []
        let relatives = ModelRoles.properties.filter {
            family.contains(ModelRoles.entity(of: $0))
        }
        let picked = relatives.filter { role in
            ModelRoles.entity(of: role) == entity && canRename(role) && dice.chance(density)
        }
        if dice.below(4) == 0, picked.count > 1, !takesFreshNames {
            exchange(picked)
        } else {
            rename(picked, among: relatives, &dice)
        }
    }

    /// Renames some of the elements of a composite attribute.
    mutating func renameElements(_ elements: [String], _ dice: inout ScheduleDice) {
        // There are too few for an exchange to be likely without a chance of its own.
        if dice.chance(density / 3), elements.count > 1, !takesFreshNames {
            exchange(elements)
        } else {
            let picked = elements.filter { role in
                // If an identifier is a former name, only the first one tells the field's part.
                let canRename = !takesFreshNames || names[role] == ModelRoles.firstName(role)
                return canRename && dice.chance(density)
            }
            rename(picked, among: elements, &dice)
        }
    }

    /// The names go round.
    private mutating func exchange(_ roles: [String]) {
        let old = current(roles)
        for (index, role) in roles.enumerated() {
            names[role] = old[(index + 1) % old.count]
        }
    }

    private mutating func rename(
        _ roles: [String], among relatives: [String], _ dice: inout ScheduleDice
    ) {
        for role in roles {
            let free = free(relatives)
            if dice.chance(0.5), !free.isEmpty {
                names[role] = dice.pick(free)
            } else if dice.chance(0.15) {
                changeCase(of: role, among: relatives)
            } else {
                names[role] = fresh(["a", "m", "z"], &dice)
            }
        }
    }

    private mutating func changeCase(of role: String, among relatives: [String]) {
        let name = names[role] ?? ""
        let cased =
            name.count == 1
            ? name.uppercased() : "\(name.prefix(1))\(name.dropFirst().uppercased())"
        if !current(relatives).contains(cased), cased.lowercased() != "self" {
            names[role] = cased
        }
    }

    mutating func renameEntities(_ dice: inout ScheduleDice) {
        for role in ModelRoles.entities where dice.chance(0.4) {
            let free = free(ModelRoles.entities)
            if dice.chance(0.4), !free.isEmpty {
                names[role] = dice.pick(free)
            } else {
                names[role] = fresh(["Ax", "Mx", "Zx"], &dice)
            }
        }
    }
}
