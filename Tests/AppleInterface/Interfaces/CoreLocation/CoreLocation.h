// CoreLocation's locations as Apple declares them.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

#define CL_SINCE_2 API_AVAILABLE(macos(10.6), ios(2.0), tvos(9.0), watchos(1.0), visionos(1.0))

typedef double CLLocationDegrees;
typedef double CLLocationDistance;
typedef double CLLocationAccuracy;
typedef double CLLocationSpeed;
typedef double CLLocationSpeedAccuracy;
typedef double CLLocationDirection;
typedef double CLLocationDirectionAccuracy;

struct CLLocationCoordinate2D {
    CLLocationDegrees latitude;
    CLLocationDegrees longitude;
};
typedef struct CLLocationCoordinate2D CLLocationCoordinate2D;

extern const CLLocationCoordinate2D kCLLocationCoordinate2DInvalid CL_SINCE_2;

BOOL CLLocationCoordinate2DIsValid(CLLocationCoordinate2D coord) CL_SINCE_2;
CLLocationCoordinate2D CLLocationCoordinate2DMake(CLLocationDegrees latitude, CLLocationDegrees longitude) CL_SINCE_2;

CL_SINCE_2 NS_SWIFT_SENDABLE
@interface CLLocation : NSObject <NSCopying, NSSecureCoding>

- (instancetype)initWithLatitude:(CLLocationDegrees)latitude longitude:(CLLocationDegrees)longitude;
- (instancetype)initWithCoordinate:(CLLocationCoordinate2D)coordinate
                          altitude:(CLLocationDistance)altitude
                horizontalAccuracy:(CLLocationAccuracy)hAccuracy
                  verticalAccuracy:(CLLocationAccuracy)vAccuracy
                         timestamp:(NSDate *)timestamp;
- (instancetype)initWithCoordinate:(CLLocationCoordinate2D)coordinate
                          altitude:(CLLocationDistance)altitude
                horizontalAccuracy:(CLLocationAccuracy)hAccuracy
                  verticalAccuracy:(CLLocationAccuracy)vAccuracy
                            course:(CLLocationDirection)course
                             speed:(CLLocationSpeed)speed
                         timestamp:(NSDate *)timestamp
    API_AVAILABLE(macos(10.7), ios(4.2), tvos(9.0), watchos(2.0), visionos(1.0));
- (instancetype)initWithCoordinate:(CLLocationCoordinate2D)coordinate
                          altitude:(CLLocationDistance)altitude
                horizontalAccuracy:(CLLocationAccuracy)hAccuracy
                  verticalAccuracy:(CLLocationAccuracy)vAccuracy
                            course:(CLLocationDirection)course
                    courseAccuracy:(CLLocationDirectionAccuracy)courseAccuracy
                             speed:(CLLocationSpeed)speed
                     speedAccuracy:(CLLocationSpeedAccuracy)speedAccuracy
                         timestamp:(NSDate *)timestamp
    API_AVAILABLE(macos(10.15.4), ios(13.4), tvos(13.4), watchos(6.2), visionos(1.0));

@property (readonly, nonatomic) CLLocationCoordinate2D coordinate;
@property (readonly, nonatomic) CLLocationDistance altitude;
@property (readonly, nonatomic) CLLocationAccuracy horizontalAccuracy;
@property (readonly, nonatomic) CLLocationAccuracy verticalAccuracy;
@property (readonly, nonatomic) CLLocationDirection course
    API_AVAILABLE(macos(10.7), ios(2.2), tvos(13.0), watchos(3.0), visionos(1.0));
@property (readonly, nonatomic) CLLocationDirectionAccuracy courseAccuracy
    API_AVAILABLE(macos(10.15.4), ios(13.4), tvos(13.4), watchos(6.2), visionos(1.0));
@property (readonly, nonatomic) CLLocationSpeed speed
    API_AVAILABLE(macos(10.7), ios(2.2), tvos(13.0), watchos(3.0), visionos(1.0));
@property (readonly, nonatomic) CLLocationSpeedAccuracy speedAccuracy
    API_AVAILABLE(macos(10.15), ios(13.4), tvos(13.4), watchos(6.2), visionos(1.0));
@property (readonly, nonatomic, copy) NSDate *timestamp;

- (CLLocationDistance)distanceFromLocation:(const CLLocation *)location
    API_AVAILABLE(macos(10.6), ios(3.2), tvos(9.0), watchos(2.0), visionos(1.0));

@end

NS_ASSUME_NONNULL_END
