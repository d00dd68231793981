import CloudKitService
import Testing

@testable import LocalCloud

@Suite("A harsh cloud and its requests")
struct HarshRequestTests {
    /// The error codes of consecutive saves of one record; nil for one that succeeds.
    private func codes(
        _ test: TestCloud, _ names: [String] = ["r"], count: Int
    ) async -> [ServerErrorCode?] {
        var codes: [ServerErrorCode?] = []
        for _ in 0..<count {
            codes.append(
                await code { () async throws(CloudKitServiceError) in
                    _ = try await test.cloud.modifyRecords(
                        ModifyRecordsRequest(
                            zoneID: test.zone, atomic: true,
                            operations: names.map { RecordOperation(.forceUpdate, record($0)) }),
                        in: test.a)
                })
        }
        return codes
    }

    @Test("A kind cloud accepts everything")
    func kind() async throws {
        let test = try await TestCloud()
        #expect(test.cloud.temper == .kind)
        #expect(await codes(test, count: 50).allSatisfy { $0 == nil })
    }

    @Test("A harsh cloud is kind to exempted devices", arguments: [true, false])
    func spared(isSpared: Bool) async throws {
        let test = try await TestCloud()
        var temper = LocalCloud.Temper.harsh(seed: 1, only: [.throttling])
        temper.sparedDevices = [isSpared ? test.a.device : test.b.device]
        test.cloud.temper = temper
        #expect(await codes(test, count: 50).allSatisfy { $0 == nil } == isSpared)
    }

    private static let failingTraits: [(LocalCloud.Temper.Trait, Set<ServerErrorCode>)] = [
        (.throttling, [.throttled, .zoneBusy, .tryAgainLater]),
        (.brokenConnections, [.networkFailure, .networkUnavailable]),
        (.lostAnswers, [.serverResponseLost, .networkFailure]),
    ]

    @Test(
        "Requests fail for a while, and then one passes",
        arguments: Self.failingTraits)
    func failures(trait: LocalCloud.Temper.Trait, expected: Set<ServerErrorCode>) async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 1, only: [trait])
        let codes = await codes(test, count: 8)
        let isRefused = codes.map { $0 != nil }
        #expect(isRefused == [true, true, true, false, true, true, true, false])
        #expect(expected.isSuperset(of: codes.compactMap { $0 }))
    }

    @Test("A throttled request reports how long to wait")
    func retryAfter() async throws {
        let test = try await TestCloud()
        var temper = LocalCloud.Temper.harsh(seed: 2, only: [.throttling])
        temper.retryAfter = 5...7
        test.cloud.temper = temper
        do throws(CloudKitServiceError) {
            _ = try await test.cloud.listZones(in: test.a)
            Issue.record("The request was not throttled")
        } catch {
            #expect((5...7).contains(error.retryAfter ?? 0))
        }
    }

    @Test("A broken connection leaves no changes, a lost answer leaves all")
    func effectsOnServer() async throws {
        for (trait, isSaved) in [
            (LocalCloud.Temper.Trait.brokenConnections, false), (.lostAnswers, true),
        ] {
            let test = try await TestCloud()
            test.cloud.temper = .harsh(seed: 3, only: [trait])
            #expect(await codes(test, count: 1) != [nil])
            test.cloud.temper = .kind
            #expect(try await (test.lookUp("r") != nil) == isSaved)
        }
    }

    @Test("A modification breaks off: what it reports is done", arguments: [true, false])
    func interruption(isAtomic: Bool) async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 4, only: [.interruptions])
        let names = (0..<6).map { "r\($0)" }
        let response = try await test.cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: test.zone, atomic: isAtomic, operations: names.map { create($0) }),
            in: test.a)
        #expect(response.interruption != nil)
        #expect((1..<6).contains(response.records.count))
        #expect(response.records.allSatisfy { $0.item != nil })
        test.cloud.temper = .kind
        let saved = try await test.changes().records.map(\.recordName)
        // An atomic modification is executed as a whole even if its response is incomplete.
        #expect(saved == (isAtomic ? names : Array(names.prefix(response.records.count))))
    }

    @Test("One record makes the whole request fail, a number of times and with one code")
    func rejectedRequests() async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 5, only: [.rejectedRequests])
        let codes = await codes(test, ["a"], count: 10)
        let refusals = codes.prefix { $0 != nil }
        #expect((1...3).contains(refusals.count))
        #expect(Set(refusals).count == 1)
        #expect(
            Set<ServerErrorCode?>([.serverRejectedRequest, .badRequest, .clientError])
                .isSuperset(of: refusals))
        #expect(codes.dropFirst(refusals.count).allSatisfy { $0 == nil })
    }

    @Test("Only requests with the poisonous record fail, and they always do")
    func poisonousRecord() async throws {
        let test = try await TestCloud()
        var temper = LocalCloud.Temper.harsh(seed: 6, only: [.rejectedRequests], chance: 0)
        temper.poisonousRecords = ["b"]
        test.cloud.temper = temper
        #expect(await codes(test, ["a", "b", "c"], count: 9).allSatisfy { $0 != nil })
        #expect(await codes(test, ["a", "c"], count: 9).allSatisfy { $0 == nil })
        #expect(try await test.lookUp("b") == nil)
    }

    @Test("A record can be chosen as poisonous, and the plan names it")
    func drawnPoison() async throws {
        let test = try await TestCloud()
        var temper = LocalCloud.Temper.harsh(seed: 7, only: [.rejectedRequests])
        temper.poisonChance = 1
        test.cloud.temper = temper
        #expect(await codes(test, ["a"], count: 9).allSatisfy { $0 != nil })
        #expect(test.cloud.faults.poisonedItems == ["a"])
        test.cloud.temper = .kind
        #expect(test.cloud.faults.poisonedItems.isEmpty)
        #expect(await codes(test, ["a"], count: 1) == [nil])
    }

    @Test("One record is refused, and its atomic neighbors with it", arguments: [true, false])
    func refusedRecords(isAtomic: Bool) async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 8, only: [.refusedRecords])
        let results = try await test.modify(
            ["a", "b", "c"].map { create($0) }, atomic: isAtomic)
        let codes = results.map { $0.error?.serverErrorCode }
        let others = codes.filter { isAtomic ? $0 == .atomicError : $0 == nil }
        #expect(others.count == 2)
        var attempts = 1
        while try await test.modify(
            ["a", "b", "c"].map { RecordOperation(.forceUpdate, record($0)) }, atomic: isAtomic
        ).contains(where: { $0.error != nil }) { attempts += 1 }
        #expect(attempts <= 9)
    }

    @Test("A request with more items than the limit is to be split")
    func lowLimits() async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 9, only: [.lowLimits])
        let names = (0...20).map { "r\($0)" }
        #expect(await codes(test, names, count: 1) == [.limitExceeded])
        #expect(await codes(test, names.dropLast(), count: 1) == [nil])
    }

    @Test("The same seed has the same effects, and another device in between changes nothing")
    func repeatable() async throws {
        func run(seed: UInt64, disturbing: Bool) async throws -> [ServerErrorCode?] {
            let test = try await TestCloud()
            test.cloud.temper = .harsh(seed: seed)
            var all: [ServerErrorCode?] = []
            for number in 0..<40 {
                // The names differ from run to run, like those of new objects.
                let names = (0..<4).map { "\(seed)\(disturbing)-\(number)-\($0)" }
                all += await codes(test, names, count: 1)
                if disturbing { _ = try? await test.cloud.listZones(in: test.b) }
            }
            return all
        }
        let first = try await run(seed: 11, disturbing: false)
        #expect(first.contains { $0 != nil })
        #expect(try await run(seed: 11, disturbing: true) == first)
        #expect(try await run(seed: 12, disturbing: false) != first)
    }

    @Test("A client that tries again ends with everything saved", arguments: 1...30)
    func patience(seed: Int) async throws {
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: UInt64(seed))
        var left = Set((0..<20).map { "r\($0)" })
        var attempts = 0
        while !left.isEmpty, attempts < 200 {
            attempts += 1
            let names = left.sorted()
            let operations = names.map { RecordOperation(.forceUpdate, record($0)) }
            do throws(CloudKitServiceError) {
                let response = try await test.cloud.modifyRecords(
                    ModifyRecordsRequest(zoneID: test.zone, operations: operations), in: test.a)
                for (name, result) in zip(names, response.records) where result.item != nil {
                    left.remove(name)
                }
            } catch {
                continue
            }
        }
        #expect(left.isEmpty, "seed \(seed)")
        test.cloud.temper = .kind
        #expect(try await test.changes().records.count == 20)
    }
}
