extension NSCoder {
    /// Decodes an object; nil if there is none. Linux's coders treat a missing value as an error,
    /// which is fatal by default.
    func decode<T: NSObject & NSCoding>(_ type: T.Type, forKey key: String) -> T? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// Decodes a string; nil if there is none.
    func decodeString(forKey key: String) -> String? {
        decode(NSString.self, forKey: key).map { String(describing: $0) }
    }

    /// Marks the archive as invalid, for initializers that cannot fail in Apple's API.
    func failDecoding(_ type: AnyObject.Type) {
        failWithError(
            CocoaError(
                .coderReadCorrupt,
                userInfo: [NSDebugDescriptionErrorKey: "The archive holds no \(type)."]))
    }

    /// Decodes a list of strings; nil if there is none.
    func decodeStrings(forKey key: String) -> [String]? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }

    /// Decodes a date that was encoded as its interval since 2001.
    func decodeDate(forKey key: String) -> Date? {
        guard containsValue(forKey: key) else { return nil }
        return Date(timeIntervalSinceReferenceDate: decodeDouble(forKey: key))
    }

    /// Encodes a string, or nothing.
    func encode(_ string: String?, forKey key: String) {
        if let string { encode(NSString(string: string), forKey: key) }
    }

    /// Encodes a list of strings, or nothing.
    func encode(_ strings: [String]?, forKey key: String) {
        if let strings { encode(NSArray(array: strings.map { NSString(string: $0) }), forKey: key) }
    }

    /// Encodes a date as its interval since 2001, or nothing.
    func encode(_ date: Date?, forKey key: String) {
        if let date { encode(date.timeIntervalSinceReferenceDate, forKey: key) }
    }
}
