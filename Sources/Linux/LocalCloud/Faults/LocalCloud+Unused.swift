import Foundation

/// Settings of a test that have had no effect, as an error.
public struct UnusedSettings: LocalizedError, CustomStringConvertible {
    /// The faults that have not affected any request.
    public let faults: [Fault]
    /// The devices whose account was set and that have not made a request.
    public let devices: [String]
    /// The devices that have.
    public let knownDevices: [String]
    /// The containers for which an account was set and to which no request was made.
    public let containers: [String]
    /// The containers to which one was made.
    public let knownContainers: [String]

    /// What had no effect, and which devices and containers there are.
    public var description: String {
        let known =
            knownDevices.isEmpty
            ? "No device has made a request."
            : "Requests came from \(knownDevices.joined(separator: ", "))"
                + " to \(knownContainers.joined(separator: ", "))."
        let lines =
            faults.map { "The fault “\($0)” has not affected any request." }
            + devices.map { "The account of \($0) was set, but no such device has made a request." }
            + containers.map {
                "An account was set for \($0), but no request has used this container."
            }
        return (lines + [known]).joined(separator: " ")
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension LocalCloud {
    /// Throws an error if a fault has not affected any request, or if somebody was signed in or out on a device, or for a
    /// container, that no request was made from or to. Call it at the end of a test:
    ///
    ///     try cloud.checkUnused()
    ///
    /// A misspelled device, container, zone or item would otherwise let a test pass that tests nothing. Only requests through this
    /// instance count.
    ///
    /// - Throws: ``UnusedSettings``, which names them.
    public func checkUnused() throws(UnusedSettings) {
        let known = faults.devices
        let knownContainers = faults.containers
        let containers = configuredContainers.names.subtracting(knownContainers)
        let devices = configuredDevices.names.filter { name in
            // The account of a device is that of devices whose names continue its name after a slash, too.
            !known.contains { $0 == name || $0.hasPrefix(name + "/") }
        }
        let faults = faults.unused
        guard !faults.isEmpty || !devices.isEmpty || !containers.isEmpty else { return }
        throw UnusedSettings(
            faults: faults, devices: devices.sorted(), knownDevices: known.sorted(),
            containers: containers.sorted(), knownContainers: knownContainers.sorted())
    }
}

extension Fault: CustomStringConvertible {
    /// The effect, the requests and the occurrences, as they are written in code.
    public var description: String {
        let pattern = requests.description
        return effect.name + (pattern.isEmpty ? "" : " for \(pattern)")
            + (occurrences == .next() ? "" : ", \(occurrences)")
    }
}

extension Fault.Effect {
    /// The effect's name, with what can be said of its values.
    fileprivate var name: String {
        switch self {
        case .fail(let error): ".fail(.\(error.code.constantName))"
        case .loseAnswer: ".loseAnswer"
        case .failItems(let names, let error):
            ".failItems(\(names.sorted()), .\(error.serverErrorCode.constantName))"
        case .wait: ".wait"
        case .call: ".call"
        case .delay: ".delay"
        case .interrupt(let count, _): ".interrupt(after: \(count))"
        case .omitFromConflicts: ".omitFromConflicts"
        case .cutPages: ".cutPages"
        case .touch: ".touch"
        }
    }
}

extension RequestPattern: CustomStringConvertible {
    /// What the pattern requires; empty for all requests.
    public var description: String {
        let kinds = kinds.map { $0.map(\.rawValue).sorted().joined(separator: ", ") }
        let parts = [
            ("container", container), ("database", database?.rawValue), ("zone", zone),
            ("item", item),
            ("device", device),
        ]
        return
            ([kinds].compactMap { $0 }
            + parts.compactMap { name, value in value.map { "\(name) \($0)" } })
            .joined(separator: ", ")
    }
}

/// The names of devices or containers for which a test has set something.
final class ConfiguredNames: @unchecked Sendable {
    // Unchecked because `all` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var all: Set<String> = []

    var names: Set<String> { lock.locked { all } }

    func note(_ name: String) {
        _ = lock.locked { all.insert(name) }
    }
}
