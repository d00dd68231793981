import Foundation

extension PushPayload {
    /// The payload as an app gets it from the system, with plain dictionaries, strings and numbers.
    public var userInfo: [AnyHashable: Any] {
        ["aps": aps.dictionary, "ck": ck.dictionary]
    }
}

extension PushPayload.CloudKitPart {
    fileprivate var dictionary: [String: Any] {
        [
            "ce": ce, "cid": cid, "ckuserid": ckuserid, "nid": nid, "p": p,
            "qry": qry?.dictionary, "fet": fet?.dictionary, "met": met?.dictionary,
        ].withoutAbsentValues
    }
}

extension PushPayload.Change {
    fileprivate var dictionary: [String: Any] {
        [
            "dbs": dbs, "zid": zid, "zoid": zoid, "rid": rid, "fo": fo, "sid": sid,
            "af": af?.mapValues(\.object),
        ].withoutAbsentValues
    }
}

extension PushPayload.SystemPart {
    fileprivate var dictionary: [String: Any] {
        [
            "content-available": contentAvailable, "mutable-content": mutableContent,
            "alert": alert?.dictionary, "badge": badge, "sound": sound, "category": category,
        ].withoutAbsentValues
    }
}

extension PushPayload.Alert {
    fileprivate var dictionary: [String: Any] {
        [
            "body": body, "loc-key": locKey, "loc-args": locArgs, "action-loc-key": actionLocKey,
            "launch-image": launchImage, "title": title, "title-loc-key": titleLocKey,
            "title-loc-args": titleLocArgs, "subtitle": subtitle,
            "subtitle-loc-key": subtitleLocKey, "subtitle-loc-args": subtitleLocArgs,
        ].withoutAbsentValues
    }
}

extension PushValue {
    fileprivate var object: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): number
        case .double(let number): number
        case .location(let location):
            ["latitude": location.latitude, "longitude": location.longitude]
        }
    }
}

extension Dictionary where Key == String, Value == Any? {
    fileprivate var withoutAbsentValues: [String: Any] { compactMapValues { $0 } }
}
