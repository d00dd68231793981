/// Where in a graph of objects a value is encoded.
struct EncodingPlace {
    let graph: RecordGraphEncoder
    /// The index in the graph's queue of the object that contains the value.
    let object: Int
    /// The path from that object.
    let keys: [any CodingKey]

    /// The path from the outermost object. It is computed, because a complete path for each object
    /// of a long chain would take too much memory.
    var codingPath: [any CodingKey] { graph.path(to: object) + keys }

    func appending(_ key: any CodingKey) -> EncodingPlace {
        EncodingPlace(graph: graph, object: object, keys: keys + [key])
    }
}
