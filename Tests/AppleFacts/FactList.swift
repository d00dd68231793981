extension Fact {
    /// The assumptions that only Apple's systems can confirm.
    static let all = coreData + cloudKit + foundation + store

    /// Core Data.
    private static let coreData = [
        Fact("CD-1", "the error 133020 of a store makes a context ask its merge policy"),
        Fact("CD-2", "a conflict that the policy has resolved is saved with one further request"),
        Fact("CD-3", "the error 134050 of a store does not make a context ask its merge policy"),
        Fact(
            "CD-4",
            "a store of a class of one's own is opened by loadMetadata, without a look at the metadata of the class"
        ),
        Fact("CD-5", "a context returns what a store answers to a batch update"),
        Fact("CD-6", "a store of a class of one's own takes a model with uniqueness constraints"),
        Fact("CD-7", "a store of a class of one's own takes a model with derived attributes"),
        Fact(
            "CD-8",
            "objectIDs(forRelationshipNamed:) of a read object asks the store once, also during a save"
        ),
        Fact("CD-9", "an object in the options of a store reaches the store as it is"),
        Fact(
            "CD-10",
            "destroyPersistentStore leaves the file of a class of one's own alone, or removes it, and throws nothing"
        ),
        Fact("CD-11", "a save without changes makes one request, without objects"),
        Fact(
            "CD-12",
            "hasFault(forRelationshipNamed:) of a to-one that was just set to a fault is true"
        ),
        Fact("CD-13", "what a save wants to update was read before"),
        Fact("CD-14", "metadata that a store gives without hashes and their version get both"),
        Fact(
            "CD-15",
            "a configuration is compatible with metadata that have the hashes of all entities"),
        Fact("CD-16", "a new relationship leads to one object and nullifies"),
        Fact(
            "CD-17", "an undo manager's checkpoint makes a context register its changes",
            .suite("UndoTests")),
        Fact(
            "CD-18",
            "an object that an undo has given its saved values again is not among the updated ones",
            .suite("UndoTests")),
        Fact(
            "CD-19",
            "beginUndoGrouping opens no group of the event, and a group without actions can be undone",
            .suite("UndoTests")),
        Fact(
            "CD-20",
            "a history begins after a date, and ends before a token, as PersistentHistoryRequests say",
            .suite("PersistentHistoryTests")),
        Fact("CD-21", "mergedModel(from:) has no entities where there is no model file"),
        Fact("CD-22", "sub-entities of the entities given to a model join it by themselves"),
        Fact("CD-23", "setValue(_:forKeyPath:) reaches the elements of composite attributes"),
        Fact(
            "CD-24", "a model file whose inverse relationship does not lead back is refused", .xcode
        ),
        Fact(
            "CD-25", "a save without changes posts that nothing was saved", .suite("EmptySaveTests")
        ),
        Fact(
            "CD-26", "a context has no changes because of a merged deletion", .suite("MergingTests")
        ),
        Fact(
            "CD-27", "an unsaved insertion that is refreshed without merging is no longer inserted",
            .suite("UnsavedObjectTests")),
        Fact(
            "CD-28",
            "of a controller's merged changes those count as moves that moves of others do not explain",
            .suite("FetchedResultsControllerTests")),
        Fact(
            "CD-29", "a predicate that is nested deeper than 1000 levels fails a fetch with 134060",
            .suite("DeepPredicateTests")),
        Fact(
            "CD-30", "an integer that its attribute's type cannot hold is refused when it is saved",
            .suite("IntegerRangeTests")),
        Fact(
            "CD-31", "the methods of an atomic store are called once for each object and save",
            .suite("AtomicStoreTests")),
        Fact("CD-32", "a property must not have the name of a method of managed objects", .xcode),
        Fact("CD-33", "an incomplete conflict stops the process", .suite("ConflictContractTests")),
        Fact(
            "CD-34", "metadata without the version of their hashes match any model",
            .suite("ModelVersionHashTests")),
        Fact(
            "CD-35",
            "a configuration is compatible with metadata that have more entities than its own",
            .suite("ModelVersionHashTests")),
        Fact("CD-36", "models are equal if all that they say is", .suite("ModelNotesTests")),
        Fact(
            "CD-37",
            "what an override of validateValue replaces during a save is set and validated again",
            .suite("ValidationReplacementTests")),
        Fact(
            "CD-38", "an asynchronous fetch that was canceled before it ran fails with 3072",
            .suite("AsynchronousFetchTests")),
        Fact(
            "CD-39", "changedValuesForCurrentEvent of an object that was never saved is empty",
            .suite("ChangedValuesTests")),
        Fact(
            "CD-40", "changedValues lists what was set and differs from the last save",
            .suite("ChangedValuesTests")),
        Fact(
            "CD-41", "where the store wins a conflict about a deleted object, it is not deleted",
            .suite("MergePolicyTests")),
        Fact(
            "CD-42", "of a new and a saved object with one constraint's values the saved one stays",
            .suite("ConstraintConflictTests")),
        Fact(
            "CD-43", "what a constraint conflict has changed gets willSave and is validated again",
            .suite("ConstraintSurvivorTests")),
        Fact(
            "CD-44",
            "a controller tells changes in the order sections, deletions, insertions, moves",
            .suite("FetchedResultsControllerTests")),
        Fact(
            "CD-45", "a difference says nothing of an object that changed in its place",
            .suite("FetchedResultsDifferenceTests")),
        Fact("CD-46", "StoresWillChange is not posted when a store is added or removed"),
        Fact(
            "CD-47", "a new entity's coreSpotlightDisplayNameExpression is a constant nil", .xcode),
        Fact(
            "CD-48",
            "a child's save finds a conflict only where the parent has deleted what it changed",
            .suite("ChildConflictTests")),
        Fact(
            "CD-49", "existingObject(with:) throws 133000 for an ID of another coordinator",
            .suite("BadInputTests")),
        Fact(
            "CD-50", "detectConflicts and insert stop the process for an object of another context",
            .suite("MisuseTests")),
        Fact(
            "CD-51", "mergeChanges(fromRemoteContextSave:into:) merges into the parents first",
            .suite("RemoteChangeTests")),
        Fact(
            "CD-52",
            "the merge of a temporary ID that its coordinator does not know is an exception",
            .suite("MisuseTests")),
        Fact(
            "CD-53", "IDs of entities without a common parent are refused by a batch deletion",
            .suite("MisuseTests")),
        Fact(
            "CD-54",
            "compiled models archive subqueries, conditions and cloud encryption as described",
            .xcode),
        Fact(
            "CD-55", "mapping models in the form of Xcode's editor say what is read from them",
            .xcode),
        Fact(
            "CD-56", "external data and the transformer's name take part in the version hash",
            .suite("ModelVersionHashTests")),
        Fact(
            "CD-57",
            "in inferred mapping models numbers become numbers, and nothing else changes its type",
            .suite("InferredMappingTests")),
        Fact(
            "CD-58", "objects that were migrated are validated by the new model",
            .suite("MigrationManagerTests")),
        Fact(
            "CD-59",
            "a migrated store has the entries of the old metadata that are the application's own",
            .suite("MigrationManagerTests")),
        Fact(
            "CD-60", "a required attribute keeps its default where a mapping gives nil",
            .suite("MigrationManagerTests")),
        Fact("CD-61", "a renaming identifier that is the name of the version before pairs the two"),
        Fact(
            "CD-62",
            "a name that stays pairs two entities of which one has lost its renaming identifier"),
        Fact("CD-63", "Xcode generates a scalar Date as a Double", .xcode),
        Fact("CD-64", "Xcode generates Identifiable for the topmost class only", .xcode),
        Fact("CD-65", "an entity with a renaming identifier that nothing has keeps its name"),
        Fact(
            "CD-66", "what a merge policy changes for a constraint cannot be undone",
            .suite("ConstraintConflictTests")),
        Fact(
            "CD-67", "announced changes of primitive to-many values update the inverses",
            .suite("PrimitiveMembersTests")),
        Fact(
            "CD-68", "objects in contexts get the IDs of their copies when a store is migrated",
            .suite("MigratedObjectsTests")),
        Fact(
            "CD-69", "what other stores have saved is saved when one store refuses its changes",
            .suite("IncompleteSaveTests")),
        Fact(
            "CD-70",
            "a batch insertion goes to one store, and a token of one store is about it alone",
            .suite("PersistentHistoryTests")),
        Fact("CD-71", "the accessors of a store's metadata do not call loadMetadata"),
        Fact(
            "CD-72",
            "automatic migration writes a new file beside the old one, and moves only files of SQLite",
            .xcode),
        Fact("CD-73", "committedValues has the objects of a relationship, to-many ones in a set"),
        Fact(
            "CD-74",
            "a fault that a store fails to read for another reason than a missing row is an exception"
        ),
        Fact("CD-75", "the archive of a history token of a class of one's own has its fields"),
        Fact(
            "CD-76", "an argument of valueForKeyPath: in a compiled mapping model has the type 10",
            .xcode),
        Fact("CD-77", "a store is given the fetch of an asynchronous request"),
        Fact(
            "CD-78", "destroying the store at a URL without a file leaves an empty file",
            .suite("StoreFileTests")),
    ]

    /// CloudKit.
    private static let cloudKit = [
        Fact("CK-1", "setting a key to the value that it has marks it as changed"),
        Fact(
            "CK-2",
            "setting a key that is not there to nil marks it as changed in a record made of system fields"
        ),
        Fact("CK-3", "the encrypted keys of a record are not among its keys"),
        Fact("CK-4", "a foreign key in the archive of a record's system fields is ignored"),
        Fact("CK-5", "the payload of a push of a zone's subscription is read as such"),
        Fact("CK-6", "a CKError tells the time to wait that its user info has"),
        Fact("CK-7", "the archive of a new record's system fields has no change tag"),
        Fact(
            "CK-8", "setting a key with the name of a property of the record is an exception",
            .server),
        Fact("CK-9", "the record that is passed to a save is updated and returned", .server),
        Fact("CK-10", "an atomic modification with a failure returns the results", .server),
        Fact("CK-11", "a record that occurs twice in a request is refused", .server),
        Fact(
            "CK-12", "the creator of a record in the private database is __defaultOwner__", .server),
        Fact(
            "CK-13", "a zone's request whose token is refused for no reason means an expired token",
            .server),
        Fact("CK-14", "the types of deleted records come from the service", .server),
        Fact("CK-15", "a key that is set while a save is under way stays changed", .server),
        Fact("CK-16", "the returned record has the values that it was sent with", .server),
        Fact("CK-17", "names that are too long or have wrong characters are exceptions", .server),
        Fact("CK-18", "a parent in another zone is refused before anything is sent", .server),
        Fact(
            "CK-19",
            "when an operation fails the blocks of the items are called that the server has told of",
            .server),
        Fact("CK-20", "a request that takes too long is a networkFailure", .server),
        Fact("CK-21", "an integer above that of 64 bits with a sign wraps", .server),
        Fact(
            "CK-22",
            "the three records of a conflict have the keys of the user info that are spelled out",
            .server),
        Fact("CK-23", "CKAccountChanged is posted with the container as its object", .server),
        Fact("CK-24", "the fields in a query's notification are as in the payload", .server),
        Fact("CK-25", "comparison options in the predicate of a query are refused", .server),
        Fact(
            "CK-26", "an asset that was fetched and is saved with all keys is uploaded again",
            .server),
        Fact(
            "CK-27", "receipt, wrappingKey and referenceChecksum of an asset can be passed through",
            .server),
        Fact("CK-28", "a push of a fetch has the form that the others have", .server),
        Fact("CK-29", "the code for an expired token is CHANGE_TOKEN_EXPIRED", .server),
        Fact("CK-30", "the web courier answers 204 if no push comes in time", .server),
        Fact("CK-31", "a web-auth token is good for more than one request", .server),
        Fact("CK-32", "\"parent\": null clears a record's parent over HTTP", .server),
        Fact("CK-33", "a wrong web-auth token is 421, a wrong API token 401", .server),
        Fact("CK-34", "an atomic request that fails has saved nothing", .server),
        Fact("CK-35", "an operation lives until its completion block has returned", .server),
        Fact(
            "CK-36",
            "a creation date is the same in a save's answer, the feed, a fetch and the archive, to 1 ms",
            .server),
        Fact("CK-37", "an operation whose items have failed succeeds", .server),
        Fact("CK-38", "an operation reports the result of each item", .server),
        Fact("CK-39", "an operation that is canceled before it starts ends", .server),
    ]

    /// Predicates and expressions.
    private static let foundation = [
        Fact("FG-1", "CONTAINS, BEGINSWITH and ENDSWITH with an empty text are false"),
        Fact("FG-2", "comparisons without options tell a composed letter from a decomposed one"),
        Fact("FG-3", "count: and sum: of nil are 0"),
        Fact("FG-4", "a nil on the left of ANY or ALL counts as an empty collection"),
        Fact("FG-5", "an unknown escape in a text keeps its backslash"),
        Fact("FG-6", "FIRST, LAST and SIZE are keys outside of brackets"),
        Fact("FG-7", "division by zero is nil, and 5 / 2 is 2"),
        Fact("FG-8", "random() is an integer from 0 to 2147483647"),
        Fact("FG-9", "UTI-EQUALS compares texts as == does"),
        Fact("FG-10", "UUIDs, URLs, data and decimals print as CASTs"),
    ]

    /// The store.
    private static let store = [
        Fact(
            "SM-1",
            "Core Data's store classes answer none of the selectors of what SMStore adds to them",
            .objectiveC),
        Fact("SM-2", "one user's change token is refused for another user's zone", .server),
        Fact("SM-3", "a record and its deletion may be in one page, the record first", .server),
        Fact(
            "SM-4", "an operation that is canceled before it was added calls its completion block",
            .server),
        Fact(
            "SM-5",
            "a process that writes within an expiring activity is not ended for a lock in an app group",
            .device),
        Fact("SM-6", "the codes of SQLite for a locked device are 3, 10, 14 or 23", .device),
        Fact(
            "SM-7",
            "files of SQLite and files in a protected folder have the protection that the store was given",
            .device),
        Fact(
            "SM-8",
            "the notifications of an application's activation have the names that SystemEvents spells out",
            .device),
        Fact(
            "SM-9", "a number and an attribute of texts are compared as SQLite does",
            .suite("MixedKindTests")),
        Fact(
            "SM-10", "the shared sources compile and run on Apple's systems", .suite("StoreTests")),
        Fact(
            "SM-11",
            "a batch insertion treats a row with its values under a constraint as the merge policy says",
            .suite("UniquenessTests")),
        Fact(
            "SM-12", "the error of a batch deletion that a delete rule forbids is 1600 or 134030",
            .suite("BatchDeleteTests")),
        Fact(
            "SM-13", "a record that was deleted and made again has another date of creation",
            .server),
        Fact(
            "SM-14", "a lightweight migration converts numbers into numbers of other types",
            .suite("InferredMappingTests")),
        Fact(
            "SM-15",
            "Core Data numbers equally named columns of siblings in the order of its entities",
            .xcode),
        Fact(
            "SM-16",
            "a store's class is asked for its migrationManagerClass before a file is migrated by a mapping model",
            .suite("MappedMigrationTests")),
        Fact(
            "SM-17", "Core Data hands history requests to other stores with their token alone",
            .suite("HistoryTests")),
        Fact(
            "SM-18",
            "what is older than a token are the transactions before the one that it was taken of",
            .suite("HistoryTests")),
        Fact(
            "SM-19",
            "a zone tells each device the client change token of the last request that was carried out",
            .server),
        Fact(
            "SM-20",
            "Core Data names the column of a composite attribute's element after the path to it, or its end",
            .xcode),
        Fact(
            "SM-21",
            "migratePersistentStore posts the old and the new store under NSUUIDChangedPersistentStoresKey",
            .suite("SaveAsTests")),
        Fact(
            "SM-22", "an expiring activity is denied on another thread, after it was asked for",
            .device),
    ]
}
