import CloudKitService

extension CKSubscription {
    /// A subscription from the service.
    static func make(
        _ subscription: SubscriptionDictionary, scope: CKDatabase.Scope
    ) -> Result<CKSubscription, any Error> {
        guard !subscription.subscriptionID.isEmpty else {
            return .failure(CKError(.internalError, "The subscription has no identifier"))
        }
        let made: CKSubscription
        switch subscription.subscriptionType {
        case .zone:
            let zoneID = subscription.zoneID.map { CKRecordZone.ID($0, scope: scope) }
            let zoneSubscription = CKRecordZoneSubscription(
                zoneID: zoneID ?? .default, subscriptionID: subscription.subscriptionID)
            zoneSubscription.recordType = subscription.recordType
            made = zoneSubscription
        case .database:
            let databaseSubscription = CKDatabaseSubscription(
                subscriptionID: subscription.subscriptionID)
            databaseSubscription.recordType = subscription.recordType
            made = databaseSubscription
        case .query, nil:
            guard let query = subscription.query else {
                return .failure(CKError(.internalError, "The subscription has no query"))
            }
            let querySubscription = CKQuerySubscription(
                recordType: query.recordType, predicate: query.predicate(scope: scope),
                subscriptionID: subscription.subscriptionID,
                options: CKQuerySubscription.Options(subscription))
            querySubscription.zoneID = subscription.zoneID.map {
                CKRecordZone.ID($0, scope: scope)
            }
            made = querySubscription
        }
        made.notificationInfo = subscription.notificationInfo.map(CKNotificationInfo.init)
        return .success(made)
    }
}

extension SubscriptionDictionary {
    /// The subscription for a request.
    ///
    /// - Throws: `invalidArguments` for a predicate that CloudKit does not support.
    init(_ subscription: CKSubscription) throws {
        self.init(subscriptionID: subscription.subscriptionID)
        switch subscription {
        case let query as CKQuerySubscription:
            let options = query.querySubscriptionOptions
            subscriptionType = .query
            zoneID = query.zoneID.map { ZoneIDDictionary($0) }
            zoneWide = query.zoneID == nil
            self.query = try QueryDictionary(
                recordType: query.recordType ?? "", predicate: query.predicate)
            firesOn = [
                options.contains(.firesOnRecordCreation) ? .create : nil,
                options.contains(.firesOnRecordUpdate) ? .update : nil,
                options.contains(.firesOnRecordDeletion) ? .delete : nil,
            ].compactMap { $0 }
            firesOnce = options.contains(.firesOnce)
        case let zone as CKRecordZoneSubscription:
            subscriptionType = .zone
            zoneID = ZoneIDDictionary(zone.zoneID)
            recordType = zone.recordType
        case let database as CKDatabaseSubscription:
            subscriptionType = .database
            recordType = database.recordType
        default:
            throw CKError(.invalidArguments, "Unknown kind of subscription")
        }
        notificationInfo = subscription.notificationInfo.map(NotificationInfoDictionary.init)
    }
}

extension CKQuerySubscription.Options {
    init(_ subscription: SubscriptionDictionary) {
        self = []
        for trigger in subscription.firesOn ?? [] {
            switch trigger {
            case .create: insert(.firesOnRecordCreation)
            case .update: insert(.firesOnRecordUpdate)
            case .delete: insert(.firesOnRecordDeletion)
            }
        }
        if subscription.firesOnce == true { insert(.firesOnce) }
    }
}

/// The parts of a notification info that are the same here and in a request.
private enum NotificationInfoParts {
    typealias Parts<Value> = [(
        ReferenceWritableKeyPath<CKNotificationInfo, Value>,
        WritableKeyPath<NotificationInfoDictionary, Value>
    )]

    static var texts: Parts<String?> {
        [
            (\.alertBody, \.alertBody), (\.alertLocalizationKey, \.alertLocalizationKey),
            (\.alertActionLocalizationKey, \.alertActionLocalizationKey),
            (\.alertLaunchImage, \.alertLaunchImage), (\.soundName, \.soundName),
            (\.category, \.category), (\.title, \.title),
            (\.titleLocalizationKey, \.titleLocalizationKey), (\.subtitle, \.subtitle),
            (\.subtitleLocalizationKey, \.subtitleLocalizationKey),
            (\.collapseIDKey, \.collapseIDKey),
        ]
    }

    static var lists: Parts<[String]?> {
        [
            (\.alertLocalizationArgs, \.alertLocalizationArgs),
            (\.titleLocalizationArgs, \.titleLocalizationArgs),
            (\.subtitleLocalizationArgs, \.subtitleLocalizationArgs),
            (\.desiredKeys, \.additionalFields),
        ]
    }
}

extension CKNotificationInfo {
    convenience init(_ info: NotificationInfoDictionary) {
        self.init()
        for (own, sent) in NotificationInfoParts.texts { self[keyPath: own] = info[keyPath: sent] }
        for (own, sent) in NotificationInfoParts.lists { self[keyPath: own] = info[keyPath: sent] }
        shouldBadge = info.shouldBadge ?? false
        shouldSendContentAvailable = info.shouldSendContentAvailable ?? false
        shouldSendMutableContent = info.shouldSendMutableContent ?? false
    }
}

extension NotificationInfoDictionary {
    init(_ info: CKSubscription.NotificationInfo) {
        self.init()
        for (own, sent) in NotificationInfoParts.texts { self[keyPath: sent] = info[keyPath: own] }
        for (own, sent) in NotificationInfoParts.lists { self[keyPath: sent] = info[keyPath: own] }
        shouldBadge = info.shouldBadge
        shouldSendContentAvailable = info.shouldSendContentAvailable
        shouldSendMutableContent = info.shouldSendMutableContent
    }
}
