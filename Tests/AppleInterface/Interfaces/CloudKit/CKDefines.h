#pragma once
@import Foundation;

// Availability, named after the release of iOS. Nothing here is older than CloudKit itself, which came to
// the watch with 3.0 and to tvOS with its first SDK.
#define CK_SINCE_8 API_AVAILABLE(macos(10.10), ios(8.0), tvos(9.0), watchos(3.0), visionos(1.0))
#define CK_SINCE_9 API_AVAILABLE(macos(10.11), ios(9.0), tvos(9.0), watchos(3.0), visionos(1.0))
#define CK_SINCE_9_3 API_AVAILABLE(macos(10.12), ios(9.3), tvos(9.2), watchos(3.0), visionos(1.0))
#define CK_SINCE_10 API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0), visionos(1.0))
#define CK_SINCE_11 API_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(4.0), visionos(1.0))
#define CK_SINCE_11_3 API_AVAILABLE(macos(10.13), ios(11.3), tvos(11.3), watchos(4.3), visionos(1.0))
#define CK_SINCE_12 API_AVAILABLE(macos(10.14), ios(12.0), tvos(12.0), watchos(5.0), visionos(1.0))
#define CK_SINCE_13 API_AVAILABLE(macos(10.15), ios(13.0), tvos(13.0), watchos(6.0), visionos(1.0))
#define CK_SINCE_15 API_AVAILABLE(macos(12.0), ios(15.0), tvos(15.0), watchos(8.0), visionos(1.0))
#define CK_SINCE_26 API_AVAILABLE(macos(26.0), ios(26.0), tvos(26.0), watchos(26.0), visionos(26.0))

// Subscriptions came to the watch three releases after the rest.
#define CK_SUBSCRIPTIONS_SINCE_8 \
    API_AVAILABLE(macos(10.10), ios(8.0), tvos(9.0), watchos(6.0), visionos(1.0))
#define CK_SUBSCRIPTIONS_SINCE_10 \
    API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(6.0), visionos(1.0))

#define CK_8_UNTIL_10(message) \
    API_DEPRECATED(message, macos(10.10, 10.12), ios(8.0, 10.0), tvos(9.0, 10.0), watchos(3.0, 3.0), visionos(1.0, 1.0))
#define CK_8_UNTIL_11(message) \
    API_DEPRECATED(message, macos(10.10, 10.13), ios(8.0, 11.0), tvos(9.0, 11.0), watchos(3.0, 4.0), visionos(1.0, 1.0))
#define CK_9_3_UNTIL_11(message) \
    API_DEPRECATED(message, macos(10.12, 10.13), ios(9.3, 11.0), tvos(9.2, 11.0), watchos(3.0, 4.0), visionos(1.0, 1.0))
#define CK_10_UNTIL_11(message) \
    API_DEPRECATED(message, macos(10.12, 10.13), ios(10.0, 11.0), tvos(10.0, 11.0), watchos(3.0, 4.0), visionos(1.0, 1.0))
#define CK_10_UNTIL_12(message) \
    API_DEPRECATED(message, macos(10.12, 10.14), ios(10.0, 12.0), tvos(10.0, 12.0), watchos(3.0, 5.0), visionos(1.0, 1.0))
#define CK_8_UNTIL_15(message) \
    API_DEPRECATED(message, macos(10.10, 12.0), ios(8.0, 15.0), tvos(9.0, 15.0), watchos(3.0, 8.0), visionos(1.0, 1.0))
#define CK_10_UNTIL_15(message) \
    API_DEPRECATED(message, macos(10.12, 12.0), ios(10.0, 15.0), tvos(10.0, 15.0), watchos(3.0, 8.0), visionos(1.0, 1.0))
#define CK_10_UNTIL_16(message) \
    API_DEPRECATED(message, macos(10.12, 13.0), ios(10.0, 16.0), tvos(10.0, 16.0), watchos(3.0, 9.0), visionos(1.0, 1.0))
#define CK_8_UNTIL_17(message) \
    API_DEPRECATED(message, macos(10.10, 14.0), ios(8.0, 17.0), tvos(9.0, 17.0), watchos(3.0, 10.0), visionos(1.0, 1.0))
#define CK_9_UNTIL_17(message) \
    API_DEPRECATED(message, macos(10.11, 14.0), ios(9.0, 17.0), tvos(9.0, 17.0), watchos(3.0, 10.0), visionos(1.0, 1.0))
#define CK_11_UNTIL_17(message) \
    API_DEPRECATED(message, macos(10.13, 14.0), ios(11.0, 17.0), tvos(11.0, 17.0), watchos(4.0, 10.0), visionos(1.0, 1.0))

#define CK_SUBSCRIPTIONS_10_UNTIL_10(message) \
    API_DEPRECATED(message, macos(10.12, 10.12), ios(10.0, 10.0), tvos(10.0, 10.0), watchos(6.0, 6.0), visionos(1.0, 1.0))

// What only Swift's forms have replaced.
#define CK_8_UNTIL_15_IN_SWIFT(message) CK_8_UNTIL_15(message)
#define CK_10_UNTIL_15_IN_SWIFT(message) CK_10_UNTIL_15(message)

// Texts for the user, which tvOS does not show.
#define CK_TEXTS_SINCE_11 \
    API_AVAILABLE(macos(10.13), ios(11.0), watchos(6.0), visionos(1.0)) API_UNAVAILABLE(tvos)
#define CK_TEXT_8_UNTIL_17 \
    API_DEPRECATED("Ask UserNotifications", macos(10.10, 14.0), ios(8.0, 17.0), watchos(3.0, 10.0), visionos(1.0, 1.0)) \
    API_UNAVAILABLE(tvos)
#define CK_TEXT_11_UNTIL_17 \
    API_DEPRECATED("Ask UserNotifications", macos(10.13, 14.0), ios(11.0, 17.0), watchos(4.0, 10.0), visionos(1.0, 1.0)) \
    API_UNAVAILABLE(tvos)

// A class that says nothing of concurrency is not Sendable. The overlay adds for most of them the conformance
// that the systems of 2023 brought.
#define CK_NOT_SENDABLE __attribute__((swift_attr("@_nonSendable(_assumed)")))

#ifndef NS_REFINED_FOR_SWIFT_ASYNC
#define NS_REFINED_FOR_SWIFT_ASYNC(parameter) __attribute__((swift_async(swift_private, parameter)))
#endif

#define CK_EXTERN extern __attribute__((visibility("default")))
