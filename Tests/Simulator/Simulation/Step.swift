import Seam3
import SeededRandom

/// One thing that happens in a simulated world.
///
/// Objects are named by a number that is taken modulo the count of those that are there, so that a
/// schedule stays meaningful when steps are left out of it.
public enum Step: Sendable, Equatable {
    /// A user creates an item.
    case insert(device: Int, parent: Int?)
    /// A user changes an attribute; the value is unique.
    case edit(device: Int, item: Int, field: Field)
    /// A user clears an attribute.
    case clear(device: Int, item: Int, field: Field)
    /// A user moves an item to another parent, or to none.
    case move(device: Int, item: Int, parent: Int?)
    /// A user deletes an item.
    case delete(device: Int, item: Int)
    /// A device synchronises, and something goes wrong if there is a fault.
    case sync(device: Int, fault: SyncFault?)
    /// The application is ended and started again.
    case relaunch(device: Int)
    /// All change tokens given out so far expire.
    case expireTokens

    /// The attributes that are edited.
    public enum Field: String, CaseIterable, Sendable {
        case title, note
    }
}

/// What happens during a synchronisation.
public struct SyncFault: Sendable, Equatable {
    /// The kinds of request that a fault can meet.
    public enum Request: String, CaseIterable, Sendable {
        case databaseChanges, zoneChanges, save, lookUp
    }

    /// What a fault does.
    public enum Effect: Sendable, Equatable {
        /// The request fails and is not carried out.
        case fail(Failure)
        /// The request is carried out, and its answer is lost.
        case loseAnswer
        /// The process ends with the request on its way, and the server carries it out.
        case crashBefore
        /// The process ends with the answer on its way.
        case crashAfter
        /// Another device synchronises before the request is carried out.
        case otherDevice(Int)
        /// The user edits an item before the request is carried out.
        case editBefore(item: Int)
        /// The user edits an item after the request was carried out.
        case editAfter(item: Int)
    }

    /// The errors that a request can fail with.
    public enum Failure: String, CaseIterable, Sendable {
        case zoneBusy, throttled, internalError, networkFailure
    }

    /// The kind of request that is met.
    public var request: Request
    /// Which of the synchronisation's requests of that kind, from 1.
    public var occurrence: Int
    /// What happens then.
    public var effect: Effect
}

extension Step {
    /// The steps that follow from a seed.
    static func schedule(seed: UInt64, devices: Int, steps: Int) -> [Step] {
        var random = SeededGenerator(seed: seed)
        return (0..<steps).map { _ in Step(&random, devices: devices) }
    }

    private init(_ random: inout SeededGenerator, devices: Int) {
        let device = random.number(below: devices)
        let item = random.number(below: 1000)
        let field = Field.allCases[random.number(below: Field.allCases.count)]
        switch random.number(below: 100) {
        case 0..<14:
            self = .insert(
                device: device, parent: random.happens(oneIn: 2) ? nil : item)
        case 14..<40: self = .edit(device: device, item: item, field: field)
        case 40..<44: self = .clear(device: device, item: item, field: field)
        case 44..<54:
            let parent = random.happens(oneIn: 4) ? nil : random.number(below: 1000)
            self = .move(device: device, item: item, parent: parent)
        case 54..<62: self = .delete(device: device, item: item)
        case 62..<78: self = .sync(device: device, fault: nil)
        case 78..<95:
            self = .sync(device: device, fault: SyncFault(&random, devices: devices))
        case 95..<99: self = .relaunch(device: device)
        default: self = .expireTokens
        }
    }
}

extension SyncFault {
    fileprivate init(_ random: inout SeededGenerator, devices: Int) {
        let requests: [Request] = [.save, .save, .save, .zoneChanges, .databaseChanges, .lookUp]
        request = requests[random.number(below: requests.count)]
        occurrence = 1 + random.number(below: 2)
        switch random.number(below: 9) {
        case 0..<2:
            effect = .fail(Failure.allCases[random.number(below: Failure.allCases.count)])
        case 2..<4: effect = .loseAnswer
        case 4: effect = .crashBefore
        case 5: effect = .crashAfter
        case 6: effect = .otherDevice(random.number(below: devices))
        case 7: effect = .editBefore(item: random.number(below: 1000))
        default: effect = .editAfter(item: random.number(below: 1000))
        }
    }
}
