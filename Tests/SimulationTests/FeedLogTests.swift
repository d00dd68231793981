import CloudKitService
import Testing

@testable import Judge

/// Answers that lag behind the feed.
@Suite("A late answer") struct FeedLogTests {
    private func record(_ name: String, _ tag: String) -> RecordDictionary {
        RecordDictionary(recordName: name, recordType: "Node", recordChangeTag: tag)
    }

    private func page(_ token: String) -> ZoneChangesResponse.Zone {
        ZoneChangesResponse.Zone(
            zoneID: ZoneIDDictionary(zoneName: ServerReader.zone), records: [], syncToken: token,
            moreComing: false)
    }

    /// The zone has had a change of one record, and two of another one.
    private func log(behind: Int, times: Int = 1) -> FeedLog {
        var log = FeedLog()
        log.append([record("a", "1")], page("first"))
        log.append([record("b", "2")], page("second"))
        log.append([record("b", "3")], page("third"))
        log.lag("device", behind: behind, times: times)
        return log
    }

    @Test("has the versions that the server had before")
    func older() {
        var log = log(behind: 1)
        let answer = log.lateAnswer(to: "device", "first")
        #expect(answer?.records.map(\.recordChangeTag) == ["2"])
        #expect(answer?.syncToken == "second")
        #expect(answer?.moreComing == false)
    }

    @Test("has nothing if the device has got more already")
    func behindTheDevice() {
        var log = log(behind: 2)
        let answer = log.lateAnswer(to: "device", "second")
        #expect(answer?.records == [])
        #expect(answer?.syncToken == "second")
    }

    @Test("is given as often as intended, and to no other device")
    func often() {
        var log = log(behind: 1, times: 2)
        #expect(log.lateAnswer(to: "other", "first") == nil)
        #expect(log.lateAnswer(to: "device", "first") != nil)
        #expect(log.lateAnswer(to: "device", "first") != nil)
        #expect(log.lateAnswer(to: "device", "first") == nil)
    }

    @Test("is not given for an unknown token, nor for the whole feed")
    func unknown() {
        var log = log(behind: 1)
        #expect(log.lateAnswer(to: "device", "another") == nil)
        #expect(log.lateAnswer(to: "device", nil) == nil)
    }
}
