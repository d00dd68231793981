/// A function of the Swift runtime's stable interface (`swift/Runtime/HeapObject.h`).
///
/// Retains an object and returns it, or returns null if its last strong reference is gone already.
void *_Nullable swift_tryRetain(void *_Nonnull object);
