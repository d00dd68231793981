import FoundationGaps

/// The pairs of source and destination objects of one entity mapping.
struct MigrationAssociations {
    private var sources: [NSManagedObject] = []
    private var destinations: [NSManagedObject] = []
    private var destinationsBySource: [ObjectIdentifier: [NSManagedObject]] = [:]
    private var sourcesByDestination: [ObjectIdentifier: [NSManagedObject]] = [:]

    /// All destination objects, in the order of their creation.
    var allDestinations: [NSManagedObject] { destinations }

    /// All source objects, in the order of their first association.
    var allSources: [NSManagedObject] { sources }

    mutating func associate(_ source: NSManagedObject, _ destination: NSManagedObject) {
        if destinationsBySource[ObjectIdentifier(source)] == nil { sources.append(source) }
        if sourcesByDestination[ObjectIdentifier(destination)] == nil {
            destinations.append(destination)
        }
        destinationsBySource[ObjectIdentifier(source), default: []].append(destination)
        sourcesByDestination[ObjectIdentifier(destination), default: []].append(source)
    }

    func destinations(of source: NSManagedObject) -> [NSManagedObject] {
        destinationsBySource[ObjectIdentifier(source)] ?? []
    }

    func sources(of destination: NSManagedObject) -> [NSManagedObject] {
        sourcesByDestination[ObjectIdentifier(destination)] ?? []
    }
}
