/// The keys that Foundation's value types support on Apple's systems.
enum FoundationValueKeys {
    /// The value of a key, or nil if the type has no such key.
    static func value(of object: Any, forKey key: String) -> Any? {
        if let text = object as? String { return value(ofText: text, forKey: key) }
        if let date = object as? Date { return value(ofDate: date, forKey: key) }
        if let number = object as? NSNumber { return value(ofNumber: number, forKey: key) }
        switch (object, key) {
        case (let url as URL, _): return value(ofURL: url, forKey: key)
        case (let uuid as UUID, "UUIDString"): return uuid.uuidString
        case (let data as Data, "length"): return data.count
        case (let object as NSObject, "description"): return object.description
        case (let object as NSObject, "hash"): return object.hash
        default: return nil
        }
    }

    private static func value(ofText text: String, forKey key: String) -> Any? {
        switch key {
        case "length": text.utf16.count
        case "uppercaseString": text.uppercased()
        case "lowercaseString": text.lowercased()
        case "capitalizedString": text.capitalized
        case "integerValue", "intValue", "longLongValue": NSString(string: text).integerValue
        case "doubleValue", "floatValue": NSString(string: text).doubleValue
        case "boolValue": NSString(string: text).boolValue
        case "pathExtension": NSString(string: text).pathExtension
        case "lastPathComponent": NSString(string: text).lastPathComponent
        case "description": text
        default: nil
        }
    }

    private static func value(ofDate date: Date, forKey key: String) -> Any? {
        switch key {
        case "timeIntervalSinceReferenceDate": date.timeIntervalSinceReferenceDate
        case "timeIntervalSince1970": date.timeIntervalSince1970
        case "timeIntervalSinceNow": date.timeIntervalSinceNow
        case "description": date.description
        default: nil
        }
    }

    private static func value(ofNumber number: NSNumber, forKey key: String) -> Any? {
        switch key {
        case "intValue", "integerValue", "longLongValue", "shortValue": number.int64Value
        case "doubleValue", "floatValue": number.doubleValue
        case "boolValue": number.boolValue
        case "stringValue", "description": number.stringValue
        default: nil
        }
    }

    private static func value(ofURL url: URL, forKey key: String) -> Any? {
        switch key {
        case "absoluteString", "description": url.absoluteString
        case "path": url.path
        case "host": url.host
        case "scheme": url.scheme
        case "port": url.port
        case "query": url.query
        case "fragment": url.fragment
        case "lastPathComponent": url.lastPathComponent
        case "pathExtension": url.pathExtension
        default: nil
        }
    }
}
