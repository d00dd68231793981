import Foundation

/// Values of every type, extreme ones among them, and otherwise different with each edit.
extension Scheduler {
    mutating func itemValues() -> [String: Value] {
        switch pick(14) {
        case 0: return ["title": text()]
        case 1: return ["flag": chance(4) ? .none : .bool(chance(2))]
        case 2: return ["isOpen": .bool(chance(2))]
        case 3: return ["ratio": chance(5) ? .none : .double(ratio())]
        case 4: return ["share": .double(share())]
        case 5: return ["small": integer(Int16.self)]
        case 6: return ["medium": integer(Int32.self)]
        case 7: return ["large": integer(Int64.self)]
        case 8: return ["token": chance(5) ? .none : token()]
        case 9: return ["place": chance(5) ? .none : place()]
        case 10: return ["moment": chance(5) ? .none : moment()]
        case 11: return ["words": chance(5) ? .none : words()]
        case 12: return ["blob": chance(5) ? .none : .data(chance(8) ? 0 : 50 + next())]
        default: return ["spot": spot()]
        }
    }

    private mutating func ratio() -> Double {
        if !chance(3) { return Double(next()) / 3 }
        return element([
            -0.0, 0.1 + 0.2, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNonzeroMagnitude, .leastNormalMagnitude, 1.0.nextUp,
        ])
    }

    /// A value that a Float can have.
    mutating func share() -> Double {
        if !chance(3) { return Double(Float(next()) / 3) }
        let share: Float = element([
            -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, Float(1).nextDown,
        ])
        return Double(share)
    }

    private mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Value {
        switch pick(6) {
        case 0: return .none
        case 1: return .int(Int(Number.min))
        case 2: return .int(Int(Number.max))
        default: return .int(-next())
        }
    }

    private mutating func token() -> Value {
        .uuid(String(format: "%08X-0000-4000-8000-00000000000A", next()))
    }

    private mutating func place() -> Value {
        let number = next()
        return .uri(
            element([
                "https://example.com/\(number)/?a=b%20c#d", "mailto:\(number)@example.com",
                "../\(number)", "file:///tmp/\(number)%2Fx", "urn:uuid:\(number)",
            ]))
    }

    /// Times with parts of a millisecond, also before 1970 and 2001.
    private mutating func moment() -> Value {
        let part = element([0, 0.0002, 0.1234, 0.1238, 0.9998])
        return .date(Double(next()) * element([1, -1, -1e8, 1e6]) + part)
    }

    private mutating func words() -> Value {
        if chance(6) { return .texts([]) }
        return .texts([
            "v\(next())", element(["", "\u{e4}", "\u{1F469}\u{200D}\u{1F680}", "a\nb"]),
        ])
    }

    private mutating func spot() -> Value {
        var elements: [String: Value] = [:]
        if !chance(4) { elements["label"] = .text("v\(next())") }
        if !chance(4) { elements["number"] = .int(chance(6) ? .min : next()) }
        return Value.composite(elements).canonical
    }
}
