import Seam3

/// Files that are copied or restored, feeds that lag, zones that are lost, and schemas without stamps.
extension Scheduler {
    /// What goes wrong in these modes.
    mutating func misfortune(_ device: Int) -> Step {
        switch setting.mode {
        case .copies: return .copyFile(device, another(than: device))
        case .backups: return chance(2) ? .backUp(device) : .restore(device)
        case .lag: return .lag(device, 1 + pick(3), 1 + pick(4))
        case .uploaders:
            return .happens(element([.deleteZone, .purgeZone, .resetEncryptedData]), device)
        default:
            switch pick(4) {
            case 0: return .deploySchema
            case 1: return .completeSync(device)
            default: return .relaunch(device)
            }
        }
    }

    private mutating func another(than device: Int) -> Int {
        (device + 1 + pick(setting.devices - 1)) % setting.devices
    }

    /// A story of one of these modes.
    mutating func misfortunes(_ device: Int, _ other: Int) -> [Step] {
        guard let ident = object("nlctfi") else { return [] }
        switch setting.mode {
        case .copies: return copiedWhileWaiting(ident, device, other)
        case .backups: return restoredAfterSending(ident, device, other)
        case .lag: return olderThanKnown(ident, device, other)
        case .uploaders: return uploadedByTwo(ident, device, other)
        default: return deployedMeanwhile(ident, device, other)
        }
    }

    /// An edit by a user, or at times a deletion.
    private mutating func edit(_ ident: String, _ device: Int) -> Step {
        chance(6) ? .delete(ident, device) : .set(ident, device, values(of: ident))
    }

    /// A file is copied while a change waits, possibly one whose response was lost, and both devices send it. One has
    /// edited the object again, or a third has.
    private mutating func copiedWhileWaiting(_ ident: String, _ device: Int, _ other: Int) -> [Step]
    {
        var steps: [Step] = [.catchUp]
        if chance(3) {
            let new = fresh(element(["n", "i"]))
            steps.append(insertion(new, device))
        }
        steps.append(edit(ident, device))
        if chance(3) { steps += [lose(device), .sync(device)] }
        steps += [.sync(other), .copyFile(device, other)]
        if chance(2) { steps.append(edit(ident, other)) }
        steps.append(.sync(chance(2) ? device : other))
        if chance(2) { steps += [edit(ident, device), .sync(device)] }
        return steps + [.sync(other), .sync(device)]
    }

    /// A backup is restored in which a change waits that has been sent since, and that was edited here or there.
    private mutating func restoredAfterSending(
        _ ident: String, _ device: Int, _ other: Int
    ) -> [Step] {
        var steps: [Step] = [.catchUp]
        if !chance(3) { steps.append(edit(ident, device)) }
        if chance(4) { steps += [lose(device), .sync(device)] }
        steps += [.backUp(device), .sync(device)]
        if chance(2) { steps += [edit(ident, device), .sync(device)] }
        if chance(2) { steps += [.sync(other), edit(ident, other), .sync(other)] }
        steps += [.sync(device), .restore(device)]
        if chance(2) { steps.append(edit(ident, device)) }
        return steps + [.sync(device), .sync(other)]
    }

    /// The feed brings a version that is older than the one that a device has saved itself.
    private mutating func olderThanKnown(_ ident: String, _ device: Int, _ other: Int) -> [Step] {
        var steps: [Step] = [.catchUp]
        let first = chance(2) ? device : other
        steps += [edit(ident, first), .sync(first), .lag(device, 1 + pick(2), 2 + pick(3))]
        steps += [edit(ident, device), .sync(device)]
        if chance(3) { steps += [edit(ident, device), .sync(device)] }
        if chance(3) { steps.append(edit(ident, device)) }
        return steps + [.sync(device), .sync(device)]
    }

    /// The zone is lost while devices have different versions of an object, and each uploads its own one.
    private mutating func uploadedByTwo(_ ident: String, _ device: Int, _ other: Int) -> [Step] {
        var steps: [Step] = [.catchUp, edit(ident, device)]
        if chance(2) { steps.append(.sync(device)) }
        if chance(3) { steps.append(edit(ident, other)) }
        steps.append(misfortune(device))
        if chance(3) { steps.append(edit(ident, element([device, other]))) }
        steps += chance(2) ? [.sync(other), .sync(device)] : [.sync(device), .sync(other)]
        return steps
    }

    /// The field is deployed while devices have records without it, and changes of these.
    private mutating func deployedMeanwhile(_ ident: String, _ device: Int, _ other: Int) -> [Step]
    {
        var steps: [Step] = [.catchUp, edit(ident, device)]
        if chance(2) { steps.append(.sync(device)) }
        if chance(2) { steps.append(edit(ident, other)) }
        steps.append(.deploySchema)
        steps.append(chance(2) ? .relaunch(device) : .completeSync(device))
        if chance(2) { steps.append(edit(ident, device)) }
        return steps + [.sync(device), .sync(other)]
    }
}
