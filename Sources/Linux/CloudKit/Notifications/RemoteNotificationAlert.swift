/// What a push shows and plays: the `aps` part of its user info.
struct RemoteNotificationAlert {
    let body: String?
    let bodyLocalizationKey: String?
    let bodyLocalizationArguments: [String]?
    let title: String?
    let titleLocalizationKey: String?
    let titleLocalizationArguments: [String]?
    let subtitle: String?
    let subtitleLocalizationKey: String?
    let subtitleLocalizationArguments: [String]?
    let actionLocalizationKey: String?
    let launchImage: String?
    let badge: Int?
    let sound: String?
    let category: String?

    init(_ aps: [AnyHashable: Any]) {
        let alert = aps["alert"] as? [AnyHashable: Any] ?? [:]
        body = aps["alert"] as? String ?? alert["body"] as? String
        bodyLocalizationKey = alert["loc-key"] as? String
        bodyLocalizationArguments = alert["loc-args"] as? [String]
        title = alert["title"] as? String
        titleLocalizationKey = alert["title-loc-key"] as? String
        titleLocalizationArguments = alert["title-loc-args"] as? [String]
        subtitle = alert["subtitle"] as? String
        subtitleLocalizationKey = alert["subtitle-loc-key"] as? String
        subtitleLocalizationArguments = alert["subtitle-loc-args"] as? [String]
        actionLocalizationKey = alert["action-loc-key"] as? String
        launchImage = alert["launch-image"] as? String
        badge = aps["badge"] as? Int ?? (aps["badge"] as? NSNumber)?.intValue
        sound = aps["sound"] as? String
        category = aps["category"] as? String
    }
}
