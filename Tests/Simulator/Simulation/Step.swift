import Seam3

/// One thing that happens in a simulated world.
///
/// Objects are named by a number that is taken modulo the count of those that are there, so that a
/// schedule stays meaningful when steps are left out of it.
public enum Step: Sendable, Equatable {
    /// A user makes some edits and saves them; the process may end right after that.
    case save(device: Int, edits: [Edit], crashes: Bool)
    /// A device synchronises, and something goes wrong if there is a fault.
    case sync(device: Int, trigger: Trigger, fault: SyncFault?)
    /// The application is ended and started again, in good order or not, and meanwhile the clock
    /// jumps by some seconds.
    case relaunch(device: Int, crashes: Bool, seconds: Int)
    /// The clock jumps by some seconds while the application runs.
    case jump(device: Int, seconds: Int)
    /// All change tokens given out so far expire.
    case expireTokens
    /// The user's zone vanishes.
    case loseZone(ZoneEnd)
    /// The application of a device decides what it will do about a lost zone; nil for the default.
    case decide(device: Int, ZoneResponse?)
    /// Another user signs in on a device, or nobody; what becomes of local data.
    case account(device: Int, Account, removesLocalData: Bool)

    /// What starts a synchronisation.
    public enum Trigger: String, CaseIterable, Sendable {
        /// The application asks for it.
        case user
        /// The application asks for all records.
        case complete
        /// A push comes, perhaps long after the change that it tells of.
        case push
        /// A push comes twice.
        case twoPushes
        /// A save, while the store synchronises automatically.
        case automatic
    }

    /// How a zone ends.
    public enum ZoneEnd: String, CaseIterable, Sendable {
        case deleted, purged, encryptedDataReset
    }

    /// What an application does about a lost zone.
    public enum ZoneResponse: String, CaseIterable, Sendable {
        case stop, upload, removeLocalData
    }

    /// Who is signed in.
    public enum Account: String, CaseIterable, Sendable {
        case nobody, first, second
    }
}

/// One edit of a user.
public enum Edit: Sendable, Equatable {
    case insert(Kind, parent: Int?, list: Int?)
    /// The value is unique.
    case set(Kind, object: Int, Field)
    case clear(Kind, object: Int, Field)
    case move(item: Int, parent: Int?)
    case place(item: Int, list: Int?, index: Int)
    case tag(item: Int, tag: Int)
    case delete(Kind, object: Int)
}

/// What happens during a synchronisation.
public struct SyncFault: Sendable, Equatable {
    /// The kinds of request that a fault can meet.
    public enum Request: String, CaseIterable, Sendable {
        case save, zoneChanges, databaseChanges, lookUp, zone, subscription, accountStatus, user
        case assetUpload, assetDownload
    }

    /// What a fault does.
    public enum Effect: Sendable, Equatable {
        /// The request fails with a code of `CKError` and is not carried out.
        case fail(code: Int, retryAfter: Int?)
        /// So do all requests of the kind, as when the user's storage is full.
        case failAlways(code: Int)
        /// The request is carried out, and its answer is lost.
        case loseAnswer
        /// The server refuses one of the records that wait, and takes the others.
        case refuse(item: Int, code: Int)
        /// The server refuses one of the records that wait, and therefore all others of its batch.
        case refuseBatch(item: Int, code: Int)
        /// The process ends with the request on its way, and the server carries it out.
        case crashBefore
        /// The process ends with the answer on its way.
        case crashAfter
        /// The process ends before it commits a transaction: the first, the second, …
        case crashAtCommit(Int)
        /// Another device synchronises before the request is carried out.
        case otherDevice(Int)
        /// The user edits an item before the request is carried out.
        case editBefore(item: Int, Touch)
        /// The user edits an item after the request was carried out.
        case editAfter(item: Int, Touch)
        /// The request takes some seconds, or the clock is set back by them meanwhile. After two minutes
        /// a synchronisation has lost its right to the file, if another process claims it.
        case slow(seconds: Int, Meanwhile)
        /// Another user signs in, or nobody, with the answer on its way.
        case signIn(Step.Account)
    }

    /// What a user does to an item in the midst of a synchronisation.
    public enum Touch: Sendable, Equatable {
        /// The value is unique.
        case set(Field)
        case clear(Field)
        case delete
    }

    /// What happens while a request takes its time.
    public enum Meanwhile: Sendable, Equatable {
        case nothing
        case edit(item: Int, Touch)
        case otherDevice(Int)
        /// Something else triggers a synchronisation, such as a repetition that is due.
        case trigger
        /// Another process that has the same file, such as an extension, synchronises.
        case anotherProcess
    }

    /// The kind of request that is met.
    public var request: Request
    /// Which of the synchronisation's requests of that kind, from 1.
    public var occurrence: Int
    /// What happens then.
    public var effect: Effect
}
