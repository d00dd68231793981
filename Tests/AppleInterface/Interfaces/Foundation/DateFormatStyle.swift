// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Date {
    public struct FormatStyle: Sendable {
        public struct DateStyle: Codable, Hashable, Sendable {
            public static let omitted: Date.FormatStyle.DateStyle = { fatalError() }()
            public static let numeric: Date.FormatStyle.DateStyle = { fatalError() }()
            public static let abbreviated: Date.FormatStyle.DateStyle = { fatalError() }()
            public static let long: Date.FormatStyle.DateStyle = { fatalError() }()
            public static let complete: Date.FormatStyle.DateStyle = { fatalError() }()
        }

        public struct TimeStyle: Codable, Hashable, Sendable {
            public static let omitted: Date.FormatStyle.TimeStyle = { fatalError() }()
            public static let shortened: Date.FormatStyle.TimeStyle = { fatalError() }()
            public static let standard: Date.FormatStyle.TimeStyle = { fatalError() }()
            public static let complete: Date.FormatStyle.TimeStyle = { fatalError() }()
        }
    }

    public func formatted(
        date: Date.FormatStyle.DateStyle, time: Date.FormatStyle.TimeStyle
    ) -> String { fatalError() }
    public func formatted() -> String { fatalError() }
}
