import CoreData

/// Where in a dictionary the values of an entity's objects are.
///
/// Every fault that fires takes a dictionary of its object's values. All objects of an entity have
/// the same keys, so each dictionary begins as a copy of one that has them all, and its values are
/// written by their places: hashing the names for each object takes longer than reading the row.
struct ValuePlaces {
    /// `NSNull` for each attribute and each to-one relationship, but no composite attribute.
    let blank: [String: Any]
    /// The place of each of the entity's attributes; nil for an element of a composite one.
    let attributes: [Dictionary<String, Any>.Index?]
    /// The place of each of the entity's to-one relationships.
    let toOnes: [Dictionary<String, Any>.Index]
    /// The elements of composite attributes.
    let elements: [AttributeColumn]

    init(attributes: [AttributeColumn], toOnes: [ToOneColumn]) {
        let plain = attributes.filter { !$0.isElement }.map(\.name)
        let names = plain + toOnes.map(\.name)
        let blank = Dictionary<String, Any>(names.map { ($0, NSNull()) }) { first, _ in first }
        func place(_ name: String) -> Dictionary<String, Any>.Index {
            blank.index(forKey: name) ?? blank.endIndex
        }
        self.blank = blank
        self.attributes = attributes.map { $0.isElement ? nil : place($0.name) }
        self.toOnes = toOnes.map { place($0.name) }
        elements = attributes.filter(\.isElement)
    }
}
