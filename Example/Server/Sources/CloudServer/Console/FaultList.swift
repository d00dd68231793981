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
                    effect: [choice.text, form["number"], form["names"]].compactMap { $0 }
                        .joined(separator: " · "),
                    requests: requests.compactMap { $0 }.joined(separator: " · "),
                    occurrences: occurrences == .always ? "always" : "next \(max(1, count))",
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

    /// What it is called.
    var text: String {
        switch self {
        case .throttled: "requestRateLimited, with seconds to wait"
        case .zoneBusy: "zoneBusy, with seconds to wait"
        case .serviceUnavailable: "serviceUnavailable, with seconds to wait"
        case .networkFailure: "networkFailure"
        case .internalError: "internalError"
        case .badRequest: "serverRejectedRequest or invalidArguments"
        case .quotaExceeded: "quotaExceeded"
        case .limitExceeded: "limitExceeded"
        case .changeTokenExpired: "changeTokenExpired"
        case .accountTemporarilyUnavailable: "accountTemporarilyUnavailable"
        case .loseAnswer: "everything is done, but the response is lost"
        case .interrupt: "the response ends after some items"
        case .failItems: "some records fail"
        case .delay: "the response is some seconds late"
        case .cutPages: "pages of changes are small, in bytes"
        }
    }

    /// The fault.
    ///
    /// - Parameters:
    ///   - number: Seconds, items or bytes; 3 unless given.
    ///   - names: The names of records, with commas between them.
    func effect(_ number: Double?, names: String?) -> Fault.Effect? {
        let number = min(max(number ?? 3, 0), 86_400)
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
                CloudKitServiceError(.networkFailure, reason: "Injected fault"))
        case .failItems:
            let names = (names ?? "").split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return names.isEmpty ? nil : .failItems(Set(names), .badRequest)
        case .delay: return .delay(.beforeCommit, seconds: number)
        case .cutPages: return .cutPages(bytes: Int(number))
        }
    }
}
