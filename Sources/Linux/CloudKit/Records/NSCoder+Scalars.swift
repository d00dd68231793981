extension NSCoder {
    /// Decodes an object, or returns nil if there is none. A coder on Linux takes an absent value
    /// for an error, and by default for a fatal one.
    func decode<T: NSObject & NSCoding>(_ type: T.Type, forKey key: String) -> T? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// Decodes a string, or returns nil if there is none.
    func decodeString(forKey key: String) -> String? {
        decode(NSString.self, forKey: key).map { String(describing: $0) }
    }

    /// Marks the archive as broken, for initializers that Apple has made unable to fail.
    func failDecoding(_ type: AnyObject.Type) {
        failWithError(
            CocoaError(
                .coderReadCorrupt,
                userInfo: [NSDebugDescriptionErrorKey: "The archive holds no \(type)."]))
    }

    /// Decodes a list of strings, or returns nil if there is none.
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
