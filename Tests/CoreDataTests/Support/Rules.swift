import Testing

/// The rules of the manual's article "What must never happen" that this target's tests guard.
extension Tag {
    @Tag static var linuxIsNotKinder: Self
}
