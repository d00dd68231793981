import CloudKit
import LocalCloud
import Testing

@testable import Seam3

@Suite("The time that a request may take") struct RequestTimeTests {
    @Test("is bounded for each answer and for the whole", .tags(.everyLoopEnds))
    func bounds() {
        let zoneID = CKRecordZone.ID(zoneName: "zone", ownerName: CKCurrentUserDefaultName)
        let container = CKContainer(
            identifier: Device.containerIdentifier, service: LocalCloud.inMemory(), device: "a")
        let configuration = ContainerZone(container, zoneID) { .utility }.configuration()
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.timeoutIntervalForResource == 3600)
        #expect(configuration.qualityOfService == .utility)
    }
}
