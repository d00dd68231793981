import CloudKit
import Testing

@testable import Seam3

@Suite("The time that a request may take") struct RequestTimeTests {
    @Test("is bounded for each answer and for the whole", .tags(.everyLoopEnds))
    func bounds() {
        let configuration = ContainerZone.configuration(.utility)
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.timeoutIntervalForResource == 3600)
        #expect(configuration.qualityOfService == .utility)
    }
}
