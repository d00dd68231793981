internal import SwiftRuntime

/// A reference that does not keep its object alive, and is nil once the object is gone, like `weak`
/// but without the side table.
///
/// The first weak reference moves an object's reference counts into a separate allocation of 48
/// bytes, and from then on every retain and release goes through it. A context refers to each of
/// its objects, so all objects would be affected: measured on a hundred thousand objects, creating
/// and freeing weak references took 500 ns longer per object, and walking the objects took seven
/// times as long. An unowned reference is counted in the object itself. In exchange the memory of a
/// released object, though not what it held, stays allocated until the reference goes.
///
/// Unchecked because it is a constant, and the counts are atomic.
struct LightReference<Object: AnyObject>: @unchecked Sendable {
    private unowned let target: Object

    init(_ target: Object) {
        self.target = target
    }

    /// The object; nil if its last strong reference is gone.
    var object: Object? {
        // Using `target` would stop the process if the object is gone. Its address is valid as long
        // as the unowned reference is.
        let address = unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
        guard swift_tryRetain(address) != nil else { return nil }
        return Unmanaged<Object>.fromOpaque(address).takeRetainedValue()
    }
}

extension LightReference: CustomReflectable {
    /// Without children: a mirror that reads `target` would stop the process if the object is gone, and a failed
    /// expectation in a test describes its values with mirrors.
    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// A property that holds a ``LightReference``: for references to objects that are retained so often that the
/// side table would be felt, such as entities.
@propertyWrapper
struct Light<Object: AnyObject> {
    private var reference: LightReference<Object>?

    init(wrappedValue: Object?) {
        reference = wrappedValue.map(LightReference.init)
    }

    var wrappedValue: Object? {
        get { reference?.object }
        set { reference = newValue.map(LightReference.init) }
    }
}
