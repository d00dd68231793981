import CoreData

/// The folder of external data that belongs to a file; see ``ExternalDataFolders``.
extension StoreFile {
    /// The folder that the metadata of a store file names, without a model.
    func externalFolder() throws -> UUID? {
        try externalFolder(in: try bareDatabase())
    }

    private func externalFolder(in database: StoreDatabase) throws -> UUID? {
        try database.metadata.value(.externalData).text.flatMap(UUID.init(uuidString:))
    }

    /// Gives a connection the folder of external data, if the store has such data or had it.
    func useFolder(for database: StoreDatabase) throws -> Bool {
        let isNeeded = try database.schema.hasExternalData || externalFolder(in: database) != nil
        if isNeeded { try database.use(externalData(of: database)) }
        return isNeeded
    }

    /// The folder of a file that may not have one of its own yet.
    func externalData(of database: StoreDatabase) throws -> ExternalDataFolder {
        let folders = ExternalDataFolders(ofStoreAt: url)
        let own = try externalFolder(in: database)
        return ExternalDataFolder(
            url: folders.url(own ?? UUID()),
            others: own.map(folders.owns) == true ? [] : folders.all(), protection: protection)
    }

    /// Gives a file that does not own the folder which its metadata names, or names none, a new one, with the files that
    /// it refers to.
    func takeFolder(for database: StoreDatabase) throws {
        let folders = ExternalDataFolders(ofStoreAt: url)
        var present = try externalFolder(in: database)
        var former: UUID?
        if present.map(folders.owns) != true {
            try database.write {
                // Another process may have given it one.
                former = try externalFolder(in: database)
                if former.map(folders.owns) != true {
                    try database.metadata.set(
                        .text(try folders.create().uuidString), .externalData)
                }
                present = try externalFolder(in: database)
                try database.use(externalData(of: database))
                try database.externalFiles?.gather(from: folders.all, in: database)
            }
            if former == nil, let folder = database.externalFiles?.folder {
                try folders.removeFormerFiles(of: folder)
            }
        }
        if let present { folders.removeAbandoned(present: present, former: former) }
    }
}
