import CloudKit
import LocalCloud
import LoopbackServer

/// Two devices of one user on a cloud in memory, with a zone.
struct Devices {
    let cloud: LocalCloud
    let phone: CKContainer
    let tablet: CKContainer
    let zoneID = CKRecordZone.ID(zoneName: "Notes")

    init(options: LocalCloudOptions = LocalCloudOptions()) {
        cloud = .inMemory(options: options)
        phone = Self.container(on: cloud)
        tablet = Self.container(on: cloud)
    }

    /// Whether devices reach their cloud over HTTP, because the environment variable
    /// `SEAM_TEST_CLOUD` is `web`.
    static let areOnTheWeb = ProcessInfo.processInfo.environment["SEAM_TEST_CLOUD"] == "web"

    private static func container(on cloud: LocalCloud) -> CKContainer {
        let identifier = "iCloud.test"
        guard areOnTheWeb else { return CKContainer(identifier: identifier, service: cloud) }
        guard let web = try? LoopbackCloud.carrier(to: cloud, container: identifier) else {
            fatalError("there is no port for a server")
        }
        return CKContainer(identifier: identifier, service: web)
    }

    /// Two devices, and the zone.
    static func withZone(options: LocalCloudOptions = LocalCloudOptions()) async throws -> Devices {
        let devices = Devices(options: options)
        try await devices.database.save(CKRecordZone(zoneID: devices.zoneID))
        return devices
    }

    /// The private database as the phone sees it.
    var database: CKDatabase { phone.privateCloudDatabase }

    /// The private database as the tablet sees it.
    var otherDatabase: CKDatabase { tablet.privateCloudDatabase }

    /// A new record of the zone.
    func note(_ name: String = "n1", _ title: String? = nil) -> CKRecord {
        let record = CKRecord(recordType: "Note", recordID: id(name))
        if let title { record["title"] = title }
        return record
    }

    /// The ID of a record of the zone.
    func id(_ name: String) -> CKRecord.ID {
        CKRecord.ID(recordName: name, zoneID: zoneID)
    }
}

/// The code of a CloudKit error.
func code(_ error: (any Error)?) -> CKError.Code? {
    (error as? CKError)?.code
}

/// The code of a failure's error.
func code<Success>(_ result: Result<Success, any Error>?) -> CKError.Code? {
    guard case .failure(let error) = result else { return nil }
    return code(error)
}

/// The code of the error that a closure throws; nil if it does not throw.
func thrownCode(_ work: () async throws -> Void) async -> CKError.Code? {
    do {
        try await work()
        return nil
    } catch {
        return code(error)
    }
}
