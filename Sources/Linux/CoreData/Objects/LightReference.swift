internal import SwiftRuntime

/// A reference that does not keep its object alive, and is nil once the object is gone: what `weak`
/// is, without the side table.
///
/// The first weak reference moves an object's counts into an allocation of their own, of 48 bytes,
/// and from then on every retain and release reaches them through that. A context has a weak
/// reference to each of its objects, so this would befall all: measured on a hundred thousand
/// objects, making and freeing the references took 500 ns an object more than here, and walking the
/// objects seven times as long. What an unowned reference counts is in the object itself. In
/// exchange the memory of a dead object, though not what it held, stays until the reference goes.
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
