extension LocalCloud {
    /// How a cloud treats its clients: kind, so that nothing goes wrong but what the fault plan
    /// says, or harsh, so that whatever CloudKit may do happens now and then.
    ///
    /// A harsh cloud draws from its seed. Each device has its own draws for each kind of request, so
    /// what happens to one device does not depend on when another makes its requests; give devices
    /// names to see the same again. Nothing is refused for ever: a device's requests of one kind fail
    /// for no reason of their own at most ``maximumRefusals`` times in a row, and a record or asset is
    /// refused, or makes requests fail, at most so many times in all, unless it is poisonous. A
    /// request that has too many items passes in parts.
    public struct Temper: Hashable, Sendable {
        /// What CloudKit may do and a kind cloud does not.
        public enum Trait: String, Hashable, Sendable, CaseIterable {
            /// A request is refused with `requestRateLimited`, `zoneBusy` or `serviceUnavailable`
            /// and a time to wait.
            case throttling
            /// A request fails with `networkFailure` or `networkUnavailable`; nothing is done.
            case brokenConnections
            /// A request is carried out and fails with `serverResponseLost` or `networkFailure`.
            case lostAnswers
            /// A modification, a look-up or a page of a zone's changes is carried out and told in
            /// part, then fails as a whole.
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
            /// A push waits for the next of its subscription, which takes its place.
            case coalescedPushes
            /// A push never arrives.
            case lostPushes
            /// The save of a child gives its parent, the record of its `parent` reference, a new
            /// change tag.
            case touchedParents
            /// The save of a reference gives the record that it refers to a new change tag.
            case touchedTargets
        }

        /// What the draws begin with.
        public var seed: UInt64
        /// How likely each trait shows where it can, from 0 to 1. A trait that is not here never does.
        public var chances: [Trait: Double]
        /// How often in a row a device's requests of one kind fail for no reason of their own, and how
        /// often in all a record, an asset or the change tokens of a zone are refused, at most. At
        /// least 1.
        public var maximumRefusals = 3
        /// How many seconds a client is to wait before it tries again.
        public var retryAfter: ClosedRange<Double> = 0.01...2
        /// How many items a request may have when limits are low.
        public var itemLimit = 20
        /// How many bytes of fields a small page has at most. A page has one record at least.
        public var pageBytes = 4_096
        /// How many seconds a slow upload or download takes.
        public var assetDelay: ClosedRange<Double> = 0.001...0.02
        /// The names of records that ``Trait/rejectedRequests``, ``Trait/refusedRecords`` and
        /// ``Trait/failingAssets`` refuse always, if they are in ``chances``.
        public var poisonousRecords: Set<String> = []
        /// How likely a record or an asset that is refused for the first time is so for ever, from 0
        /// to 1. ``FaultPlan/poisonedItems`` tells which ones are.
        public var poisonChance = 0.0
        /// The names of devices to whose requests the cloud is kind, such as one with which a test looks
        /// at what the server has.
        public var sparedDevices: Set<String> = []

        /// Nothing goes wrong but what the fault plan says.
        public static let kind = Temper(seed: 0, chances: [:])

        /// Whatever CloudKit may do happens now and then.
        ///
        /// - Parameter seed: What the draws begin with.
        public static func harsh(seed: UInt64) -> Temper {
            Temper(seed: seed, chances: usualChances)
        }

        /// Some of what CloudKit may do happens.
        ///
        /// - Parameters:
        ///   - seed: What the draws begin with.
        ///   - traits: What may happen.
        ///   - chance: How likely it happens where it can, from 0 to 1. Default: whenever it can.
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

    /// How the cloud treats its clients. It is kind unless this is set.
    ///
    /// Setting it restarts the draws, forgets what was refused, and delivers pushes that are late.
    /// The faults of ``faults`` are not concerned.
    public var temper: Temper {
        get { faults.temper }
        set {
            faults.temper = newValue
            pushDelivery.deliverLate(all: true)
        }
    }
}
