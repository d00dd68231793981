extension PushPayload {
    /// The `aps` dictionary.
    public struct SystemPart: Hashable, Sendable, Codable {
        /// 1: the push wakes the app.
        public var contentAvailable: Int?
        /// 1: the app may change the push before it is shown.
        public var mutableContent: Int?
        /// What the user sees.
        public var alert: Alert?
        /// The number on the app's icon.
        public var badge: Int?
        /// The name of a sound.
        public var sound: String?
        /// The category of actions.
        public var category: String?

        /// Creates the dictionary.
        public init(
            contentAvailable: Int? = nil,
            mutableContent: Int? = nil,
            alert: Alert? = nil,
            badge: Int? = nil,
            sound: String? = nil,
            category: String? = nil
        ) {
            self.contentAvailable = contentAvailable
            self.mutableContent = mutableContent
            self.alert = alert
            self.badge = badge
            self.sound = sound
            self.category = category
        }

        private enum CodingKeys: String, CodingKey {
            case contentAvailable = "content-available"
            case mutableContent = "mutable-content"
            case alert, badge, sound, category
        }
    }

    /// The `alert` dictionary.
    public struct Alert: Hashable, Sendable, Codable {
        /// The text.
        public var body: String?
        /// The key of a localized text.
        public var locKey: String?
        /// What fills the localized text.
        public var locArgs: [String]?
        /// The key of a localized title for the action button.
        public var actionLocKey: String?
        /// The name of a launch image.
        public var launchImage: String?
        /// The title.
        public var title: String?
        /// The key of a localized title.
        public var titleLocKey: String?
        /// What fills the localized title.
        public var titleLocArgs: [String]?
        /// The subtitle.
        public var subtitle: String?
        /// The key of a localized subtitle.
        public var subtitleLocKey: String?
        /// What fills the localized subtitle.
        public var subtitleLocArgs: [String]?

        /// Creates an empty dictionary.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case body, title, subtitle
            case locKey = "loc-key"
            case locArgs = "loc-args"
            case actionLocKey = "action-loc-key"
            case launchImage = "launch-image"
            case titleLocKey = "title-loc-key"
            case titleLocArgs = "title-loc-args"
            case subtitleLocKey = "subtitle-loc-key"
            case subtitleLocArgs = "subtitle-loc-args"
        }
    }
}
