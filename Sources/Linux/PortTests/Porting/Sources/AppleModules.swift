/// Modules that only Apple's systems have, as far as apps with Core Data and their tests use them.
enum AppleModules {
    static let names: Set = [
        "AVFoundation", "AppIntents", "AppKit", "BackgroundTasks", "Cocoa", "Combine", "Contacts",
        "CoreGraphics", "CoreSpotlight", "Darwin", "EventKit", "HealthKit", "Intents", "MapKit",
        "MobileCoreServices", "OSLog", "ObjectiveC", "Photos", "PhotosUI",
        "QuartzCore", "Security", "StoreKit", "SwiftData", "SwiftUI", "SystemConfiguration",
        "UIKit", "UniformTypeIdentifiers", "UserNotifications", "WatchConnectivity", "WatchKit",
        "WidgetKit", "os",
    ]
}
