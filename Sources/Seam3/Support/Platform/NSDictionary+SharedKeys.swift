import CoreData

#if canImport(ObjectiveC)
extension NSDictionary {
    /// Makes a dictionary of values, each for the key at its place.
    convenience init(_ values: [Any], forSharedKeys keys: [NSString]) {
        self.init(objects: values, forKeys: keys)
    }
}
#else
extension NSDictionary {
    /// Makes a dictionary of values, each for the key at its place.
    ///
    /// Foundation's own initializer looks for the object that stands for each value by casts, which take
    /// as long as all the rest.
    convenience init(_ values: [Any], forSharedKeys keys: [NSString]) {
        let objects = values.compactMap { value -> AnyObject? in
            if let number = _exactly(value, NSNumber.self) { return number }
            return _exactly(value, String.self).map(NSString.init(string:))
        }
        guard objects.count == values.count else {
            self.init(objects: values, forKeys: keys)
            return
        }
        self.init(objects: objects, forKeys: keys as [NSObject], count: keys.count)
    }
}
#endif
