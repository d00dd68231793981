import Foundation
import LocalCloud
import Testing

/// How clouds treat the devices of tests. Every second test by its name has a harsh cloud, which does what
/// CloudKit may do although each sync succeeds: it takes few items in a request, sends pages by bytes,
/// leaves things out of conflicts, is slow with assets, and gives records that others refer to new change
/// tags. With the environment variable `SEAM_TEST_TEMPER` every test has one, if it is `harsh`, or none, if
/// it is `kind`.
enum HarshCloud {
    /// The device to whose requests each cloud is kind: the one with which tests look at the server.
    static let sparedDevice = "raw client"

    private static let traits: Set<LocalCloud.Temper.Trait> = [
        .lowLimits, .smallPages, .slowAssets, .conflictsWithoutAncestor,
        .conflictsWithoutServerRecord, .conflictsWithoutEncryptedValues, .conflictsWithoutAssets,
        .touchedParents, .touchedTargets,
    ]

    /// A temper by which nothing happens, and which is not that of a new cloud.
    private static let kind = LocalCloud.Temper.harsh(seed: 1, only: [])

    /// Makes a cloud harsh if this test is to have one, unless it has a temper already.
    static func apply(to cloud: LocalCloud) {
        guard cloud.temper == .kind, let test = Test.current, isHarsh(test.name) else { return }
        var temper = LocalCloud.Temper.harsh(seed: hash(test.name), only: traits, chance: 0.5)
        temper.sparedDevices = [sparedDevice]
        cloud.temper = temper
    }

    /// Makes a cloud kind for a test that counts requests or looks at one answer.
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
