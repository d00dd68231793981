/// A function of the Swift runtime's stable interface (`swift/Runtime/HeapObject.h`).
///
/// Retains an object and returns it, or returns null if its last strong reference is gone already.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// A function of the Swift runtime's stable interface (`swift/Runtime/Metadata.h`).
///
/// Returns what a class runs when one of its methods is called.
///
/// `method` and `declaring` are the descriptors of the method and of the class that declares it.
/// Swift passes so few pointers in the same registers as C does.
const void *_Nonnull swift_lookUpClassMethod(
    const void *_Nonnull type, const void *_Nonnull method, const void *_Nonnull declaring);

// The descriptors of methods of NSManagedObject, which the compiler makes for every method that may be
// overridden. Swift has no names for them.
extern const char NSManagedObjectDescriptor[] __asm__("$s8CoreData15NSManagedObjectCMn");
extern const char willSaveDescriptor[] __asm__("$s8CoreData15NSManagedObjectC8willSaveyyFTq");
extern const char didSaveDescriptor[] __asm__("$s8CoreData15NSManagedObjectC7didSaveyyFTq");
extern const char validateValueDescriptor[]
    __asm__("$s8CoreData15NSManagedObjectC13validateValue_6forKeyySpyyXlSgG_SStKFTq");

/// What a subclass of NSManagedObject runs as `willSave()`.
static inline const void *_Nonnull willSaveMethod(const void *_Nonnull type) {
    return swift_lookUpClassMethod(type, willSaveDescriptor, NSManagedObjectDescriptor);
}

/// What a subclass of NSManagedObject runs as `didSave()`.
static inline const void *_Nonnull didSaveMethod(const void *_Nonnull type) {
    return swift_lookUpClassMethod(type, didSaveDescriptor, NSManagedObjectDescriptor);
}

/// What a subclass of NSManagedObject runs as `validateValue(_:forKey:)`.
static inline const void *_Nonnull validateValueMethod(const void *_Nonnull type) {
    return swift_lookUpClassMethod(type, validateValueDescriptor, NSManagedObjectDescriptor);
}
