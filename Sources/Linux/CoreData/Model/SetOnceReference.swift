import Synchronization

/// A reference that is set once, by whichever thread comes first, and read often by all.
///
/// `AtomicLazyReference` does the same, but looks up the metadata of its own type with each load, which
/// was half of the time that making a managed object takes.
struct SetOnceReference<Object: AnyObject>: ~Copyable {
    private let pointer = Atomic<UnsafeRawPointer?>(nil)

    deinit {
        guard let pointer = pointer.load(ordering: .acquiring) else { return }
        Unmanaged<Object>.fromOpaque(pointer).release()
    }

    /// The object, once there is one.
    func load() -> Object? {
        pointer.load(ordering: .acquiring)
            .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets the object, unless somebody was faster.
    ///
    /// - Returns: The object that is there now.
    func storeIfNil(_ object: Object) -> Object {
        let new = Unmanaged.passRetained(object)
        let (isStored, present) = pointer.compareExchange(
            expected: nil, desired: UnsafeRawPointer(new.toOpaque()),
            successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
        guard !isStored, let present else { return object }
        new.release()
        return Unmanaged<Object>.fromOpaque(present).takeUnretainedValue()
    }
}
