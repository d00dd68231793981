/// A dictionary for integer keys that are mostly consecutive, like the keys of rows.
///
/// The hash function of Swift's dictionary has to resist keys that an attacker has chosen, and
/// scatters neighbors in memory. Here the number itself determines the first slot to probe, so
/// neighbors are adjacent, and iterating over them reads memory in order. If that slot is taken,
/// the next ones are scattered. Numbers that are far apart cost one slot each, like all others.
///
/// It is a class, so that an owner changes values in place. It is not thread-safe.
public final class NumberTable<Value> {
    /// The state of a slot.
    @frozen @usableFromInline enum Use: UInt8 {
        case free, taken
        /// Released: values that were stored elsewhere because the slot was taken must still be
        /// found.
        case released
    }

    // Nothing that runs during an access of these uses them again. Checking that for every access
    // would take longer than the access.
    @exclusivity(unchecked) @usableFromInline var uses: UnsafeMutablePointer<Use>
    @exclusivity(unchecked) @usableFromInline var keys: UnsafeMutablePointer<Int64>
    @exclusivity(unchecked) @usableFromInline var values: UnsafeMutablePointer<Value>
    /// The number of slots minus one. The number of slots is a power of two.
    @exclusivity(unchecked) @usableFromInline var mask: Int
    /// The number of slots that are not free, including released ones.
    @exclusivity(unchecked) @usableFromInline var usedCount = 0

    /// The number of values.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Creates an empty table.
    public init() {
        (uses, keys, values) = Self.allocate(Self.leastCapacity)
        mask = Self.leastCapacity - 1
    }

    deinit { free() }

    // MARK: - Reading

    /// The value of a number; nil if it has none.
    @inlinable public subscript(key: Int64) -> Value? {
        find(key).map { values[$0] }
    }

    /// Calls a closure with each number and its value, in no order.
    @inlinable public func forEach(_ body: (Int64, Value) throws -> Void) rethrows {
        guard count > 0 else { return }
        for slot in 0...mask where uses[slot] == .taken { try body(keys[slot], values[slot]) }
    }

    // MARK: - Changing

    /// Changes the value of a number in place, if it has one.
    ///
    /// - Parameter body: What changes it; it must not use the table.
    /// - Returns: What the closure returns; nil if the number has no value.
    @inlinable public func change<Result>(
        _ key: Int64, _ body: (inout Value) throws -> Result
    ) rethrows -> Result? {
        guard let slot = find(key) else { return nil }
        return try body(&values[slot])
    }

    /// Changes the value of a number in place, after setting an initial value if it has none.
    ///
    /// - Parameter body: What changes it; it must not use the table.
    @inlinable public func change<Result>(
        _ key: Int64, default value: @autoclosure () -> Value,
        _ body: (inout Value) throws -> Result
    ) rethrows -> Result {
        // Found first: to insert may move the values.
        let slot = find(key) ?? insert(key, value())
        return try body(&values[slot])
    }

    /// Sets the value of a number.
    ///
    /// - Returns: The previous value.
    @inlinable @discardableResult
    public func update(_ value: Value, for key: Int64) -> Value? {
        guard let slot = find(key) else {
            _ = insert(key, value)
            return nil
        }
        let former = values[slot]
        values[slot] = value
        return former
    }

    /// Removes the value of a number.
    @inlinable @discardableResult public func remove(_ key: Int64) -> Value? {
        guard let slot = find(key) else { return nil }
        return take(slot)
    }

    /// Removes the values that meet a condition.
    @inlinable public func removeAll(where isUnwanted: (Int64, inout Value) -> Bool) {
        guard count > 0 else { return }
        for slot in 0...mask where uses[slot] == .taken {
            if isUnwanted(keys[slot], &values[slot]) { _ = take(slot) }
        }
    }

    /// Removes all values.
    public func removeAll() {
        free()
        (uses, keys, values) = Self.allocate(Self.leastCapacity)
        (mask, usedCount, count) = (Self.leastCapacity - 1, 0, 0)
    }

    /// Reserves capacity for a total number of values.
    public func reserve(_ count: Int) {
        if count > room { move(to: Self.capacity(for: count)) }
    }

    // MARK: - Slots

    @usableFromInline static var leastCapacity: Int { 16 }

    /// The maximum number of slots in use. With more, scattered values would take long to find.
    @inlinable var room: Int { mask - mask / 4 }

    /// The next slot to probe for a number, after one that is taken. The step is odd, so that it
    /// reaches every slot.
    @inlinable static func step(_ key: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32) | 1
    }

    @inlinable func find(_ key: Int64) -> Int? {
        var slot = Int(truncatingIfNeeded: key) & mask
        if uses[slot] == .taken, keys[slot] == key { return slot }
        let step = Self.step(key)
        while uses[slot] != .free {
            if uses[slot] == .taken, keys[slot] == key { return slot }
            slot = (slot &+ step) & mask
        }
        return nil
    }

    /// Sets the value of a number that has none.
    @inlinable func insert(_ key: Int64, _ value: Value) -> Int {
        if usedCount >= room { move(to: Self.capacity(for: max(count * 2, Self.leastCapacity))) }
        var slot = Int(truncatingIfNeeded: key) & mask
        let step = Self.step(key)
        while uses[slot] == .taken { slot = (slot &+ step) & mask }
        if uses[slot] == .free { usedCount += 1 }
        uses[slot] = .taken
        keys[slot] = key
        (values + slot).initialize(to: value)
        noteInsertion()
        return slot
    }

    @inlinable func take(_ slot: Int) -> Value {
        uses[slot] = .released
        noteRemoval()
        return (values + slot).move()
    }

    @usableFromInline func noteInsertion() { count += 1 }

    /// Without any values, released slots can be reset.
    @usableFromInline func noteRemoval() {
        count -= 1
        guard count == 0 else { return }
        uses.initialize(repeating: .free, count: mask + 1)
        usedCount = 0
    }

    /// The number of slots for a number of values.
    @usableFromInline static func capacity(for count: Int) -> Int {
        var capacity = leastCapacity
        while capacity - 1 - (capacity - 1) / 4 <= count { capacity *= 2 }
        return capacity
    }

    @usableFromInline func move(to capacity: Int) {
        let (formerUses, formerKeys, formerValues) = (uses, keys, values)
        let formerCapacity = mask + 1
        (uses, keys, values) = Self.allocate(capacity)
        (mask, usedCount) = (capacity - 1, count)
        for former in 0..<formerCapacity where formerUses[former] == .taken {
            let key = formerKeys[former]
            var slot = Int(truncatingIfNeeded: key) & mask
            let step = Self.step(key)
            while uses[slot] != .free { slot = (slot &+ step) & mask }
            uses[slot] = .taken
            keys[slot] = key
            (values + slot).moveInitialize(from: formerValues + former, count: 1)
        }
        formerUses.deallocate()
        formerKeys.deallocate()
        formerValues.deallocate()
    }

    private func free() {
        if count > 0 {
            for slot in 0...mask where uses[slot] == .taken {
                (values + slot).deinitialize(count: 1)
            }
        }
        uses.deallocate()
        keys.deallocate()
        values.deallocate()
    }

    private static func allocate(_ capacity: Int) -> (
        UnsafeMutablePointer<Use>, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Value>
    ) {
        let uses = UnsafeMutablePointer<Use>.allocate(capacity: capacity)
        uses.initialize(repeating: .free, count: capacity)
        return (uses, .allocate(capacity: capacity), .allocate(capacity: capacity))
    }
}
