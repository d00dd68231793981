import CoreData

/// An element of a composite attribute that Core Data's table has a column for.
struct StoredElement {
    /// "Entity.path", with the entity that declares the attribute.
    let key: String
    let owner: NSEntityDescription
    /// The names that lead to it, in capitals; several such paths if some of the names may have changed.
    let paths: [[String]]
    /// The type of its column.
    let type: String
}

/// A form in which Core Data may name the columns of elements.
struct ElementForm {
    enum Part: CaseIterable { case path, pathInAttribute, element }

    let part: Part
    private let separator: String
    private let prefix: String

    /// All forms, beginning with those that contain the most of the path.
    static let all = Part.allCases.flatMap { part in
        ["_", ".", ""].flatMap { separator in
            ["Z", "Z_"].map { ElementForm(part: part, separator: separator, prefix: $0) }
        }
    }

    func names(of element: StoredElement) -> Set<String> {
        Set(
            element.paths.map { path in
                let names: ArraySlice<String>
                switch part {
                case .path: names = path[...]
                case .pathInAttribute: names = path.dropFirst()
                case .element: names = path.suffix(1)
                }
                return prefix + names.joined(separator: separator)
            })
    }
}

/// What the columns of a table may be called if the elements have names of one form.
struct ElementNames {
    /// Something with a column.
    struct Owner {
        /// "Entity.property" or "Entity.path".
        let key: String
        let entity: NSEntityDescription
        let names: Set<String>
    }

    private let form: ElementForm
    private var owners: [Owner]
    private let columns: Set<String>

    /// - Parameters:
    ///   - form: The form of the elements' names.
    ///   - elements: The elements.
    ///   - others: The other properties.
    ///   - columns: The columns of the table.
    init(_ form: ElementForm, _ elements: [StoredElement], others: [Owner], columns: Set<String>) {
        self.form = form
        self.columns = columns
        owners = others
        owners += elements.map(owner)
    }

    func owner(_ element: StoredElement) -> Owner {
        Owner(key: element.key, entity: element.owner, names: form.names(of: element))
    }

    /// The columns that may be an owner's. If several have one name, Core Data numbers their columns.
    func columns(of owner: Owner) -> Set<String> {
        columns.filter { column in
            owner.names.contains(column)
                || owner.names.contains {
                    CoreDataFile.isColumn(column, named: $0)
                        && (isNumbered($0) || !isName(column))
                }
        }
    }

    private func isName(_ column: String) -> Bool {
        owners.contains { $0.names.contains(column) }
    }

    /// Whether several owners have a name, or one has the name that the number makes of another's.
    private func isNumbered(_ name: String) -> Bool {
        owners.filter { $0.names.contains(name) }.count > 1
            || owners.flatMap(\.names).contains {
                $0 != name && CoreDataFile.isColumn(name, named: $0) && isNumbered($0)
            }
    }

    /// Whether an object may have an owner and another one that some of the columns may belong to.
    func hasRival(_ owner: Owner, for columns: Set<String>) -> Bool {
        owners.contains {
            $0.key != owner.key && $0.entity.isRelated(to: owner.entity)
                && !columns.isDisjoint(with: self.columns(of: $0))
        }
    }
}

extension NSEntityDescription {
    /// Whether an object may be of both entities.
    func isRelated(to other: NSEntityDescription) -> Bool {
        isKindOf(entity: other) || other.isKindOf(entity: self)
    }
}
