#pragma once
// Which systems have a declaration: API_AVAILABLE(macos(12.0), ios(15.0)), API_UNAVAILABLE(watchos),
// API_DEPRECATED("why", macos(10.4, 12.0)), API_DEPRECATED_WITH_REPLACEMENT("name", macos(10.4, 12.0)).
#define __SEAM_EACH_1(f, a) f(a)
#define __SEAM_EACH_2(f, a, ...) f(a) __SEAM_EACH_1(f, __VA_ARGS__)
#define __SEAM_EACH_3(f, a, ...) f(a) __SEAM_EACH_2(f, __VA_ARGS__)
#define __SEAM_EACH_4(f, a, ...) f(a) __SEAM_EACH_3(f, __VA_ARGS__)
#define __SEAM_EACH_5(f, a, ...) f(a) __SEAM_EACH_4(f, __VA_ARGS__)
#define __SEAM_EACH_6(f, a, ...) f(a) __SEAM_EACH_5(f, __VA_ARGS__)
#define __SEAM_EACH_7(f, a, ...) f(a) __SEAM_EACH_6(f, __VA_ARGS__)
#define __SEAM_EACH_8(f, a, ...) f(a) __SEAM_EACH_7(f, __VA_ARGS__)
#define __SEAM_SELECT(a, b, c, d, e, f, g, h, n, ...) __SEAM_EACH_##n
#define __SEAM_EACH(f, ...) __SEAM_SELECT(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)(f, __VA_ARGS__)

#define __SEAM_SYSTEM(...) __attribute__((availability(__VA_ARGS__)))
#define __SEAM_SINCE_macos(v) __SEAM_SYSTEM(macos, introduced=v)
#define __SEAM_SINCE_macosx(v) __SEAM_SYSTEM(macos, introduced=v)
#define __SEAM_SINCE_ios(v) __SEAM_SYSTEM(ios, introduced=v)
#define __SEAM_SINCE_tvos(v) __SEAM_SYSTEM(tvos, introduced=v)
#define __SEAM_SINCE_watchos(v) __SEAM_SYSTEM(watchos, introduced=v)
#define __SEAM_SINCE_visionos(v) __SEAM_SYSTEM(visionos, introduced=v)
#define __SEAM_SINCE_xros(v) __SEAM_SYSTEM(visionos, introduced=v)
#define __SEAM_SINCE_macCatalyst(v) __SEAM_SYSTEM(maccatalyst, introduced=v)
#define __SEAM_SINCE(x) __SEAM_SINCE_##x
#define API_AVAILABLE(...) __SEAM_EACH(__SEAM_SINCE, __VA_ARGS__)

#define __SEAM_NEVER_macos __SEAM_SYSTEM(macos, unavailable)
#define __SEAM_NEVER_macosx __SEAM_SYSTEM(macos, unavailable)
#define __SEAM_NEVER_ios __SEAM_SYSTEM(ios, unavailable)
#define __SEAM_NEVER_tvos __SEAM_SYSTEM(tvos, unavailable)
#define __SEAM_NEVER_watchos __SEAM_SYSTEM(watchos, unavailable)
#define __SEAM_NEVER_visionos __SEAM_SYSTEM(visionos, unavailable)
#define __SEAM_NEVER_xros __SEAM_SYSTEM(visionos, unavailable)
#define __SEAM_NEVER_macCatalyst __SEAM_SYSTEM(maccatalyst, unavailable)
#define __SEAM_NEVER(x) __SEAM_NEVER_##x
#define API_UNAVAILABLE(...) __SEAM_EACH(__SEAM_NEVER, __VA_ARGS__)

#define __SEAM_OLD_macos(v, w) macos, introduced=v, deprecated=w
#define __SEAM_OLD_macosx(v, w) macos, introduced=v, deprecated=w
#define __SEAM_OLD_ios(v, w) ios, introduced=v, deprecated=w
#define __SEAM_OLD_tvos(v, w) tvos, introduced=v, deprecated=w
#define __SEAM_OLD_watchos(v, w) watchos, introduced=v, deprecated=w
#define __SEAM_OLD_visionos(v, w) visionos, introduced=v, deprecated=w
#define __SEAM_OLD_xros(v, w) visionos, introduced=v, deprecated=w
#define __SEAM_OLD_macCatalyst(v, w) maccatalyst, introduced=v, deprecated=w
#define __SEAM_OLD(x) __SEAM_OLD_##x
#define __SEAM_MESSAGE_1(m, a) __SEAM_SYSTEM(__SEAM_OLD(a), message=m)
#define __SEAM_MESSAGE_2(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_1(m, __VA_ARGS__)
#define __SEAM_MESSAGE_3(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_2(m, __VA_ARGS__)
#define __SEAM_MESSAGE_4(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_3(m, __VA_ARGS__)
#define __SEAM_MESSAGE_5(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_4(m, __VA_ARGS__)
#define __SEAM_MESSAGE_6(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_5(m, __VA_ARGS__)
#define __SEAM_MESSAGE_7(m, a, ...) __SEAM_MESSAGE_1(m, a) __SEAM_MESSAGE_6(m, __VA_ARGS__)
#define __SEAM_MESSAGES(a, b, c, d, e, f, g, n, ...) __SEAM_MESSAGE_##n
#define API_DEPRECATED(m, ...) __SEAM_MESSAGES(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1, 0)(m, __VA_ARGS__)
#define API_DEPRECATED_WITH_REPLACEMENT(r, ...) API_DEPRECATED("use " r, __VA_ARGS__)
#define API_TO_BE_DEPRECATED 100000
