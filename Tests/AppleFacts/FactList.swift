extension Fact {
    /// All that only Apple's systems can tell.
    static let all: [Fact] = [
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
        Fact("CK-1", "setting a key to the value that it has marks it as changed"),
        Fact("CK-2", "setting a key that is not there to nil marks it as changed"),
        Fact("CK-3", "the encrypted keys of a record are not among its keys"),
        Fact("CK-4", "a foreign key in the archive of a record's system fields is ignored"),
        Fact("CK-5", "the payload of a push of a zone's subscription is read as such"),
        Fact("CK-6", "a CKError tells the time to wait that its user info has"),
        Fact("CK-7", "the archive of a new record's system fields has no change tag"),
        Fact(
            "SM-1",
            "Core Data's store classes answer none of the selectors of what SMStore adds to them",
            .objectiveC),
        Fact("SM-2", "one user's change token is refused for another user's zone", .server),
        Fact("SM-3", "a record and its deletion may be in one page, the record first", .server),
        Fact(
            "SM-4", "an operation that is cancelled before it was added calls its completion block",
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
    ]
}
