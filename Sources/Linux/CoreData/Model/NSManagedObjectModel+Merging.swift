import FoundationGaps

extension NSManagedObjectModel {
    /// Whether a store is compatible with the model.
    ///
    /// - Parameters:
    ///   - configuration: The configuration that the store holds; nil for all entities.
    ///   - metadata: The store's metadata.
    /// - Returns: Whether the store was written with exactly the entities of the configuration. As
    ///   on Apple's systems, metadata without `NSStoreModelVersionHashesVersion` matches any model.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let entities = entities(forConfigurationName: configuration) else { return false }
        // Without it there is no version to compare.
        guard metadata[Self.versionHashesVersionKey] != nil else { return true }
        guard let stored = Self.versionHashes(in: metadata) else { return false }
        // Both belong to the hashes. A store that replaces these alone is none of any model.
        for key in [Self.versionDigestKey, Self.versionChecksumKey] {
            if let checksum = metadata[key] as? String,
                checksum != Self.versionChecksum(of: stored)
            {
                return false
            }
        }
        let current = Dictionary(
            entities.compactMap { entity in entity.name.map { ($0, entity.versionHash) } },
            uniquingKeysWith: { $1 })
        // The metadata of a store with a part of the model contains the hashes of all entities.
        return configuration == nil
            ? stored == current : current.allSatisfy { stored[$0.key] == $0.value }
    }

    /// A digest of all entities, in Base64.
    public final var versionChecksum: String {
        Self.versionChecksum(of: entityVersionHashesByName)
    }

    /// The checksum of a version with these entities and version hashes.
    static func versionChecksum(of hashes: [String: Data]) -> String {
        var digest = StructureDigest()
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            digest.combine(name)
            digest.combine(hash)
        }
        return digest.finalize().base64EncodedString()
    }

    /// The metadata key for the number of the version hashes' algorithm.
    static let versionHashesVersionKey = "NSStoreModelVersionHashesVersion"

    /// The metadata key for a digest of the version hashes.
    static let versionDigestKey = "NSStoreModelVersionHashesDigest"

    /// The metadata key for the checksum of the model.
    static let versionChecksumKey = "NSStoreModelVersionChecksumKey"

    /// The number in current stores of Apple's.
    static let versionHashesVersion = NSNumber(value: 3)

    static func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
        metadata["NSStoreModelVersionHashes"] as? [String: Data]
    }

    /// Copies the entities, configurations and version identifiers of models into this one.
    ///
    /// An entity that several models contain in the same version is copied once.
    final func merge(_ models: [NSManagedObjectModel]) {
        var merged: [NSEntityDescription] = []
        var hashes: [String: Data] = [:]
        var configurations: [String: [String]] = [:]
        for model in models {
            versionIdentifiers.formUnion(model.versionIdentifiers)
            for (name, members) in model.entityNamesByConfiguration {
                configurations[name, default: []] += members
            }
            var isNew: [String: Bool] = [:]
            for entity in model.entities {
                guard let name = entity.name else { continue }
                let hash = entity.versionHash
                isNew[name] = hashes[name] == nil
                if hashes.updateValue(hash, forKey: name) ?? hash != hash {
                    raise(
                        .internalInconsistency,
                        "Can't merge models with two different entities named '\(name)'")
                }
            }
            for root in model.entities where root.superentity == nil {
                guard let name = root.name, isNew[name] == true,
                    let copy = root.copy() as? NSEntityDescription
                else { continue }
                merged.append(copy)
            }
        }
        entities = merged
        relinkEntities()
        for model in models { copyTemplates(of: model) }
        let byName = entitiesByName
        for (name, members) in configurations {
            let unique = Set(members).sorted()
            setEntities(unique.compactMap { byName[$0] }, forConfigurationName: name)
        }
    }
}
