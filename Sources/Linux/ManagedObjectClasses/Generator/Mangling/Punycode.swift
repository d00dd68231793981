/// Swift's form of Punycode (RFC 3492), for identifiers with letters outside ASCII.
///
/// It differs from the standard in its digits, `a…z` and `A…J`, and in the delimiter, `_`.
enum Punycode {
    private static let base = 36
    private static let smallestThreshold = 1
    private static let largestThreshold = 26

    /// The encoded form of a text.
    static func encoded(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { Int($0.value) }
        var output = text.unicodeScalars.filter(\.isASCII).map { Character($0) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append("_") }
        var next = 128
        var delta = 0
        var bias = 72
        while handled < scalars.count {
            guard let smallest = scalars.filter({ $0 >= next }).min() else { break }
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                appendNumber(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(output)
    }

    private static func appendNumber(_ number: Int, bias: Int, to output: inout [Character]) {
        var rest = number
        var weight = base
        while true {
            let threshold = min(max(weight - bias, smallestThreshold), largestThreshold)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> Character {
        let start = value < 26 ? UInt8(ascii: "a") : UInt8(ascii: "A") - 26
        return Character(Unicode.Scalar(start + UInt8(value)))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - smallestThreshold) * largestThreshold / 2 {
            delta /= base - smallestThreshold
            steps += base
        }
        return steps + (base - smallestThreshold + 1) * delta / (delta + 38)
    }
}
