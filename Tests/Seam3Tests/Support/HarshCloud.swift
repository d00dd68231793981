import Foundation
import LocalCloud
import Testing

/// Makes the clouds of half of the tests, chosen by their names, harsh. A harsh cloud does what
/// CloudKit may do while each sync still succeeds: it accepts few items in a request, limits pages
/// by bytes, omits parts of conflicts, is slow with assets, and changes the change tags of
/// referenced records. The environment variable `SEAM_TEST_TEMPER` makes all clouds harsh if it is
/// `harsh`, and none if it is `kind`.
enum HarshCloud {
    /// The device with which tests inspect the server. Each cloud is kind to its requests.
    static let sparedDevice = "raw client"

    private static let traits: Set<LocalCloud.Temper.Trait> = [
        .lowLimits, .smallPages, .slowAssets, .conflictsWithoutAncestor,
        .conflictsWithoutServerRecord, .conflictsWithoutEncryptedValues, .conflictsWithoutAssets,
        .touchedParents, .touchedTargets,
    ]

    /// A temper without any effect, which differs from that of a new cloud.
    private static let kind = LocalCloud.Temper.harsh(seed: 1, only: [])

    /// Makes a cloud harsh if the test is one of those with a harsh cloud, unless the cloud has a
    /// temper already.
    static func apply(to cloud: LocalCloud) {
        guard cloud.temper == .kind, let test = Test.current, isHarsh(test.name) else { return }
        var temper = LocalCloud.Temper.harsh(seed: hash(test.name), only: traits, chance: 0.5)
        temper.sparedDevices = [sparedDevice]
        cloud.temper = temper
    }

    /// Makes a cloud kind for a test that counts requests or checks a single response.
    static func spare(_ cloud: LocalCloud) {
        cloud.temper = kind
    }

    private static func isHarsh(_ name: String) -> Bool {
        switch ProcessInfo.processInfo.environment["SEAM_TEST_TEMPER"] {
        case "harsh": true
        case "kind": false
        default: hash(name) % 2 == 1
        }
    }

    /// A hash that is the same in each process.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
