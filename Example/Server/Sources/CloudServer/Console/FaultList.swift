import CloudKitWebServices
import Foundation
import LocalCloud

/// The faults that were added in the console. The plan itself does not tell what is in it.
final class FaultList: @unchecked Sendable {
    /// A fault with a description.
    struct Entry: Sendable {
        let number: Int
        let id: FaultPlan.ID
        let effect: String
        let requests: String
        let occurrences: String
        /// The number of requests after which it is used up; nil if it never is.
        let limit: Int?

        func isUsedUp(after requests: Int) -> Bool { limit.map { requests >= $0 } ?? false }
    }

    // Unchecked because the following are accessed only while `lock` is held.
    private let lock = NSLock()
    private var storage: [Entry] = []
    private var last = 0

    /// The faults in the order in which they were added.
    var entries: [Entry] { lock.withLock { storage } }

    /// Adds the fault that a form describes.
    ///
    /// - Throws: `badRequest` if the form describes none.
    func add(_ form: FormFields, to plan: FaultPlan) throws(CloudKitServiceError) {
        let choice = FaultChoice(rawValue: form["effect"] ?? "")
        let number = form["number"].flatMap { Double($0) }
        guard let choice, let effect = choice.effect(number, names: form["names"]) else {
            throw CloudKitServiceError(.badRequest, reason: "The form describes no fault.")
        }
        let kind = form["kind"].flatMap(RequestKind.init)
        let pattern = RequestPattern(
            kind.map { [$0] }, container: form["container"], zone: form["zone"],
            device: form["device"])
        let count = form["count"].flatMap { Int($0) } ?? 1
        let occurrences: Fault.Occurrences = form["always"] == nil ? .next(max(1, count)) : .always
        let id = plan.add(effect, for: pattern, occurrences: occurrences)
        let requests = [
            kind?.rawValue ?? "any request", form["container"], form["zone"].map { "zone \($0)" },
            form["device"],
        ]
        lock.withLock {
            last += 1
            storage.append(
                Entry(
                    number: last, id: id,
                    effect: choice.description(number, names: form["names"]),
                    requests: requests.compactMap { $0 }.joined(separator: " · "),
                    occurrences: occurrences == .always
                        ? "always" : count > 1 ? "\(count) times" : "once",
                    limit: occurrences == .always ? nil : max(1, count)))
        }
    }

    /// Removes a fault from the list and the plan.
    func remove(_ number: Int, from plan: FaultPlan) {
        let entry = lock.withLock {
            let entry = storage.first { $0.number == number }
            storage.removeAll { $0.number == number }
            return entry
        }
        if let entry { plan.remove(entry.id) }
    }

    /// Removes the faults that were used up.
    func removeUsed(from plan: FaultPlan) {
        for entry in entries where entry.isUsedUp(after: plan.matchCount(of: entry.id)) {
            remove(entry.number, from: plan)
        }
    }

    /// Removes every fault of the list.
    func removeAll(from plan: FaultPlan) {
        for entry in entries { remove(entry.number, from: plan) }
    }
}

/// The faults that the console offers.
enum FaultChoice: String, CaseIterable {
    case throttled, zoneBusy, serviceUnavailable, networkFailure, internalError, badRequest
    case quotaExceeded, limitExceeded, changeTokenExpired, accountTemporarilyUnavailable
    case loseAnswer, interrupt, failItems, delay, cutPages

    /// What it is called. An ellipsis stands for the number.
    var text: String {
        switch self {
        case .throttled: "requestRateLimited, retry after … seconds"
        case .zoneBusy: "zoneBusy, retry after … seconds"
        case .serviceUnavailable: "serviceUnavailable, retry after … seconds"
        case .networkFailure: "networkFailure"
        case .internalError: "internalError"
        case .badRequest: "serverRejectedRequest or invalidArguments"
        case .quotaExceeded: "quotaExceeded"
        case .limitExceeded: "limitExceeded"
        case .changeTokenExpired: "changeTokenExpired"
        case .accountTemporarilyUnavailable: "accountTemporarilyUnavailable"
        case .loseAnswer: "the request is carried out, but its response is lost"
        case .interrupt: "the connection is lost after … items of the response"
        case .failItems: "some records fail"
        case .delay: "the response is … seconds late"
        case .cutPages: "a page of changes ends after … bytes"
        }
    }

    /// What it is called, with its number and its names.
    func description(_ number: Double?, names: String?) -> String {
        let number = Self.limited(number)
        let shown = number == number.rounded() ? "\(Int(number))" : "\(number)"
        let text = text.replacingOccurrences(of: "…", with: shown)
        guard self == .failItems, let names else { return text }
        return "\(text): \(names)"
    }

    private static func limited(_ number: Double?) -> Double {
        guard let number, !number.isNaN else { return 3 }
        return min(max(number, 0), 86_400)
    }

    /// The fault.
    ///
    /// - Parameters:
    ///   - number: Seconds, items or bytes; 3 unless given.
    ///   - names: The names of records, with commas between them.
    func effect(_ number: Double?, names: String?) -> Fault.Effect? {
        let number = Self.limited(number)
        switch self {
        case .throttled: return .fail(.throttled, retryAfter: number)
        case .zoneBusy: return .fail(.zoneBusy, retryAfter: number)
        case .serviceUnavailable: return .fail(.tryAgainLater, retryAfter: number)
        case .networkFailure: return .fail(.networkFailure)
        case .internalError: return .fail(.internalError)
        case .badRequest: return .fail(.badRequest)
        case .quotaExceeded: return .fail(.quotaExceeded)
        case .limitExceeded: return .fail(.limitExceeded)
        case .changeTokenExpired: return .fail(.changeTokenExpired)
        case .accountTemporarilyUnavailable: return .fail(.accountTemporarilyUnavailable)
        case .loseAnswer: return .loseAnswer()
        case .interrupt:
            return .interrupt(
                after: Int(number),
                CloudKitServiceError(.networkFailure, reason: "Injected fault .networkFailure"))
        case .failItems:
            let names = (names ?? "").split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return names.isEmpty ? nil : .failItems(Set(names), .badRequest)
        case .delay: return .delay(.beforeCommit, seconds: number)
        case .cutPages: return .cutPages(bytes: Int(number))
        }
    }
}
