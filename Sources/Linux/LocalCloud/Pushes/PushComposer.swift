import CloudKitService
import Foundation
import SeamSQLite

/// Creates the pushes for one change of a zone.
struct PushComposer {
    /// The owner of the public database's zone in pushes.
    static let publicOwner = "_defaultOwner"

    let session: RequestSession
    let zone: Zone
    /// The same in all pushes of one change.
    private let notificationID = UUID().uuidString.lowercased()

    init(session: RequestSession, zone: Zone) {
        self.session = session
        self.zone = zone
    }

    /// The push of a zone or database subscription, or nil if the change does not concern it.
    func push(
        for subscription: SubscriptionDictionary, user: String,
        changes: [RecordModification.Change]
    ) -> PushPayload? {
        if let type = subscription.recordType,
            !changes.contains(where: { $0.recordType == type })
        {
            return nil
        }
        var change = change(for: subscription)
        switch subscription.subscriptionType {
        case .zone where subscription.zoneID?.zoneName == zone.name && !changes.isEmpty:
            return payload(for: subscription, user: user) { $0.fet = change }
        case .database where !zone.isDefault:
            change.sid = subscription.subscriptionID
            return payload(for: subscription, user: user) { $0.met = change }
        default:
            return nil
        }
    }

    /// The pushes of a query subscription, one for each matching record.
    func pushes(
        forQuery subscription: SubscriptionDictionary, user: String,
        changes: [RecordModification.Change]
    ) throws -> [PushPayload] {
        guard let query = subscription.query, isWatched(by: subscription) else { return [] }
        let matcher = RecordMatcher(
            query: query, options: session.options,
            userRecordName: Caller.userRecordName(
                of: user, container: session.caller.context.container))
        var pushes: [PushPayload] = []
        for change in changes
        where change.recordType == query.recordType
            && subscription.firesOn?.contains(change.trigger) == true
        {
            let fields = try change.record.fields.map { try FieldCoding.decode($0) } ?? [:]
            guard matcher.matches(change.record, fields: fields) else { continue }
            pushes.append(push(for: subscription, user: user, change: change, fields: fields))
            if subscription.firesOnce == true { break }
        }
        return pushes
    }

    private func isWatched(by subscription: SubscriptionDictionary) -> Bool {
        guard let zoneID = subscription.zoneID else { return true }
        return zoneID.zoneName == zone.name
    }

    private func push(
        for subscription: SubscriptionDictionary, user: String,
        change: RecordModification.Change, fields: [String: RecordFieldDictionary]
    ) -> PushPayload {
        var query = self.change(for: subscription)
        query.rid = change.recordName
        switch change.trigger {
        case .create: query.fo = 1
        case .update: query.fo = 2
        case .delete: query.fo = 3
        }
        let wanted = subscription.notificationInfo?.additionalFields ?? []
        let values = wanted.compactMap { name in
            fields[name]?.value?.pushValue.map { (name, $0) }
        }
        if !values.isEmpty { query.af = Dictionary(values) { first, _ in first } }
        return payload(for: subscription, user: user, fields: fields) { $0.qry = query }
    }

    private func change(for subscription: SubscriptionDictionary) -> PushPayload.Change {
        PushPayload.Change(
            dbs: session.scope.pushValue,
            zid: zone.name,
            zoid: session.scope == .public
                ? Self.publicOwner : session.caller.userRecordName,
            sid: subscription.subscriptionID)
    }

    private func payload(
        for subscription: SubscriptionDictionary, user: String,
        fields: [String: RecordFieldDictionary] = [:],
        _ fill: (inout PushPayload.CloudKitPart) -> Void
    ) -> PushPayload {
        let container = session.caller.context.container
        var part = PushPayload.CloudKitPart(
            cid: container,
            ckuserid: Caller.userRecordName(of: user, container: container),
            nid: notificationID)
        fill(&part)
        return PushPayload(
            aps: PushPayload.SystemPart(subscription.notificationInfo, fields: fields), ck: part)
    }
}

extension PushPayload.SystemPart {
    /// The `aps` part for a subscription.
    init(_ info: NotificationInfoDictionary?, fields: [String: RecordFieldDictionary]) {
        self.init()
        guard let info else { return }
        contentAvailable = info.shouldSendContentAvailable == true ? 1 : nil
        mutableContent = info.shouldSendMutableContent == true ? 1 : nil
        badge = info.shouldBadge == true ? 1 : nil
        sound = info.soundName
        category = info.category
        func texts(_ names: [String]?) -> [String]? {
            names?.map { fields[$0]?.value?.pushValue.map(\.text) ?? "" }
        }
        var alert = PushPayload.Alert()
        alert.body = info.alertBody
        alert.locKey = info.alertLocalizationKey
        alert.locArgs = texts(info.alertLocalizationArgs)
        alert.actionLocKey = info.alertActionLocalizationKey
        alert.launchImage = info.alertLaunchImage
        alert.title = info.title
        alert.titleLocKey = info.titleLocalizationKey
        alert.titleLocArgs = texts(info.titleLocalizationArgs)
        alert.subtitle = info.subtitle
        alert.subtitleLocKey = info.subtitleLocalizationKey
        alert.subtitleLocArgs = texts(info.subtitleLocalizationArgs)
        if alert != PushPayload.Alert() { self.alert = alert }
    }
}

extension FieldValue {
    /// The value in a push. Bytes, assets and lists are not included.
    fileprivate var pushValue: PushValue? {
        switch self {
        case .string(let text): .string(text)
        case .int64(let number), .timestamp(let number): .integer(number)
        case .double(let number): .double(number)
        case .location(let location): .location(location)
        case .reference(let reference): .string(reference.recordName)
        case .bytes, .asset, .list: nil
        }
    }
}

extension PushValue {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .location(let location): "\(location.latitude), \(location.longitude)"
        }
    }
}
