import CoreData

/// Opening a store: options, adoption, migrations.
@nonobjc extension SMStore {
    /// The store's file, configured by the options.
    var file: StoreFile {
        var file = StoreFile(
            url: fileURL ?? URL(fileURLWithPath: "/dev/null"), isReadOnly: isReadOnly)
        file.infersMigration =
            isSet(NSMigratePersistentStoresAutomaticallyOption)
            && isSet(NSInferMappingModelAutomaticallyOption)
        if let timeout = options?[NSPersistentStoreTimeoutOption] as? NSNumber {
            file.busyTimeout = timeout.doubleValue
        }
        if isSet(NSMigratePersistentStoresAutomaticallyOption) || definesStages, !isReadOnly {
            file.awaitsMapping = { [self] in awaitsMapping($0) }
        }
        file.protection = StoreFileProtection(options: options)
        if let stores = migratedStores(MigratedStores.destinationOption),
            let model = persistentStoreCoordinator?.managedObjectModel
        {
            file.assignedNames = stores.pinnedNames(for: model, configuration: configurationName)
        }
        return file
    }

    /// Whether an option is set to true.
    func isSet(_ option: String) -> Bool {
        (options?[option] as? NSNumber)?.boolValue == true || options?[option] as? Bool == true
    }

    /// The migration that opens the store as its source or its destination.
    func migratedStores(_ option: String) -> MigratedStores? {
        options?[option] as? MigratedStores
    }

    /// Whether a migration has opened the store.
    var isMigrating: Bool {
        [MigratedStores.sourceOption, MigratedStores.destinationOption].contains {
            migratedStores($0) != nil
        }
    }

    /// Whether Core Data must migrate a file of another model with a mapping model or in stages: because the
    /// options do not allow an inferred mapping, or define stages, or because the app has a mapping model between
    /// the two.
    private func awaitsMapping(_ metadata: [String: Any]) -> Bool {
        guard isSet(NSInferMappingModelAutomaticallyOption), !definesStages else { return true }
        guard let destination = persistentStoreCoordinator?.managedObjectModel,
            let source = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
        else { return false }
        return NSMappingModel(
            from: nil, forSourceModel: source, destinationModel: destination) != nil
    }

    /// Refuses to adopt a file of another model whose migration the app defines: only an inferred migration is
    /// possible on the way.
    private func checkMigration(
        from old: NSManagedObjectModel, to model: NSManagedObjectModel
    ) throws {
        guard old.entityVersionHashesByName != model.entityVersionHashesByName else { return }
        let definition: String
        if definesStages {
            definition = "a staged migration"
        } else if NSMappingModel(from: nil, forSourceModel: old, destinationModel: model) != nil {
            definition = "a mapping model"
        } else {
            return
        }
        throw CocoaError(
            .inferredMappingModel,
            userInfo: [
                NSLocalizedDescriptionKey: "The file was not adopted.",
                "reason": "it has another model, for which the app has \(definition): call"
                    + " SMStore.adoptFile(at:model:) with that model before the store is added",
            ])
    }

    /// Whether the file that was left to a mapping model has not been replaced yet.
    var isAwaitedFileThere: Bool {
        guard let awaitedFile else { return false }
        return fileNumber.map { $0 == awaitedFile } ?? true
    }

    /// The number of the file, which another file at its place does not have.
    var fileNumber: Int? {
        let path = fileURL?.path ?? ""
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.intValue
    }

    /// Whether the app defines stages of a migration.
    private var definesStages: Bool {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return false }
        return options?[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    }

    /// Adopts the file of another store at the URL, if there is one.
    func adoptFile(at url: URL, model: NSManagedObjectModel) throws {
        let adoption = try FileAdoption(
            url: url, model: model, configuration: configurationName, storeType: type,
            infersMigration: file.infersMigration,
            user: options?[Self.SMStoreAdoptionUserOption] as? String,
            checkModel: { [self] in try checkMigration(from: $0, to: model) }
        ).run()
        guard let adoption else { return }
        SMStore.logger?.info(
            "SMStore adopted \(adoption.adoptedObjectCount) of \(adoption.objectCount) objects of another store's file"
        )
        for entry in adoption.leftOut {
            SMStore.logger?.error("Not everything in the file was adopted: \(entry)")
        }
        if !adoption.missingData.isEmpty {
            SMStore.logger?.error(
                "The adopted file lacks external data of "
                    + Set(adoption.missingData).sorted().joined(separator: ", "))
        }
    }
}
