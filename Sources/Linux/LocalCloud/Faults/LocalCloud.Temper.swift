extension LocalCloud {
    /// How a cloud treats its clients. A kind cloud fails only according to the fault plan. A harsh
    /// cloud occasionally does everything that CloudKit may do.
    ///
    /// The random choices of a harsh cloud depend on its seed. Each device has its own random
    /// sequence for each kind of request, so what happens to one device does not depend on the
    /// timing of others; name the devices to reproduce a run. Nothing is refused forever: a
    /// device's requests of one kind fail randomly at most ``maximumRefusals`` times in a row, and
    /// a record or asset is refused, or makes requests fail, at most that many times in total,
    /// unless it is poisonous. A request with too many items succeeds in parts.
    public struct Temper: Hashable, Sendable {
        /// Behavior of CloudKit that a kind cloud does not show.
        public enum Trait: String, Hashable, Sendable, CaseIterable {
            /// A request is refused with `requestRateLimited`, `zoneBusy` or `serviceUnavailable`
            /// and a time to wait.
            case throttling
            /// A request fails with `networkFailure` or `networkUnavailable`; nothing is done.
            case brokenConnections
            /// A request is carried out but fails with `serverResponseLost` or `networkFailure`.
            case lostAnswers
            /// A modification, a lookup or a page of a zone's changes is partly carried out and
            /// reported, then fails as a whole.
            case interruptions
            /// One record makes each modification that contains it fail as a whole, with
            /// `serverRejectedRequest`, `invalidArguments` or `internalError`.
            case rejectedRequests
            /// One record of a modification is refused; its neighbors fail with
            /// `batchRequestFailed` if the modification is atomic.
            case refusedRecords
            /// A request with more than ``Temper/itemLimit`` items fails with `limitExceeded`.
            case lowLimits
            /// A page of a zone's changes is cut at ``Temper/pageBytes`` or fewer.
            case smallPages
            /// A zone's change token has expired.
            case expiredTokens
            /// An asset cannot be uploaded or downloaded.
            case failingAssets
            /// An upload or download takes ``Temper/assetDelay``.
            case slowAssets
            /// `serverRecordChanged` comes without the ancestor record.
            case conflictsWithoutAncestor
            /// `serverRecordChanged` comes without the server record.
            case conflictsWithoutServerRecord
            /// The server record of `serverRecordChanged` lacks its encrypted values.
            case conflictsWithoutEncryptedValues
            /// The server record of `serverRecordChanged` lacks its assets.
            case conflictsWithoutAssets
            /// A push arrives only after further requests.
            case latePushes
            /// A push waits for the next one of its subscription, which replaces it.
            case coalescedPushes
            /// A push never arrives.
            case lostPushes
            /// The save of a child gives its parent, the record of its `parent` reference, a new
            /// change tag.
            case touchedParents
            /// The save of a reference gives the record that it refers to a new change tag.
            case touchedTargets
        }

        /// The seed of the random sequences.
        public var seed: UInt64
        /// The probability of each trait when it is applicable, from 0 to 1. A trait that is not
        /// contained never occurs.
        public var chances: [Trait: Double]
        /// The maximum number of times in a row that a device's requests of one kind fail randomly,
        /// and the maximum number of times in total that a record, an asset or the change tokens of
        /// a zone are refused. At least 1.
        public var maximumRefusals = 3
        /// The range of seconds that a client is to wait before it tries again.
        public var retryAfter: ClosedRange<Double> = 0.01...2
        /// The maximum number of items in a request when limits are low.
        public var itemLimit = 20
        /// The maximum size of a small page in bytes of fields. A page contains at least one
        /// record.
        public var pageBytes = 4_096
        /// The range of seconds that a slow upload or download takes.
        public var assetDelay: ClosedRange<Double> = 0.001...0.02
        /// The names of records that ``Trait/rejectedRequests``, ``Trait/refusedRecords`` and
        /// ``Trait/failingAssets`` always refuse, if these traits are in ``chances``.
        public var poisonousRecords: Set<String> = []
        /// The probability that a record or an asset that is refused for the first time is refused
        /// forever, from 0 to 1. See ``FaultPlan/poisonedItems``.
        public var poisonChance = 0.0
        /// The names of devices to which the cloud is kind, such as one that a test uses to inspect
        /// the server.
        public var sparedDevices: Set<String> = []

        /// Requests fail only according to the fault plan.
        public static let kind = Temper(seed: 0, chances: [:])

        /// Everything that CloudKit may do happens occasionally.
        ///
        /// - Parameter seed: The seed of the random sequences.
        public static func harsh(seed: UInt64) -> Temper {
            Temper(seed: seed, chances: usualChances)
        }

        /// Selected traits happen.
        ///
        /// - Parameters:
        ///   - seed: The seed of the random sequences.
        ///   - traits: The traits.
        ///   - chance: Their probability when they are applicable, from 0 to 1; by default always.
        public static func harsh(
            seed: UInt64, only traits: Set<Trait>, chance: Double = 1
        ) -> Temper {
            Temper(
                seed: seed,
                chances: Dictionary(uniqueKeysWithValues: traits.map { ($0, chance) }))
        }

        private init(seed: UInt64, chances: [Trait: Double]) {
            self.seed = seed
            self.chances = chances
        }

        private static let usualChances: [Trait: Double] = [
            .throttling: 0.08, .brokenConnections: 0.04, .lostAnswers: 0.05, .interruptions: 0.1,
            .rejectedRequests: 0.08, .refusedRecords: 0.05, .lowLimits: 0.2, .smallPages: 0.5,
            .expiredTokens: 0.02, .failingAssets: 0.2, .slowAssets: 0.2,
            .conflictsWithoutAncestor: 0.35, .conflictsWithoutServerRecord: 0.25,
            .conflictsWithoutEncryptedValues: 0.35, .conflictsWithoutAssets: 0.35,
            .latePushes: 0.3, .coalescedPushes: 0.25, .lostPushes: 0.15, .touchedParents: 0.5,
            .touchedTargets: 0.2,
        ]
    }

    /// How the cloud treats its clients; by default it is kind.
    ///
    /// Setting it restarts the random sequences, resets the counts of refusals, and delivers late
    /// pushes. It does not affect the ``faults``.
    public var temper: Temper {
        get { faults.temper }
        set {
            faults.temper = newValue
            pushDelivery.deliverLate(all: true)
        }
    }
}
