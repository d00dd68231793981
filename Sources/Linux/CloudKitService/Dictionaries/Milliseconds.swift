/// Milliseconds since 1970 in the forms that clients use: a number with or without a fraction, or a
/// string with one. The value is rounded to the nearest whole number.
struct Milliseconds: Decodable {
    let count: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            count = whole
            return
        }
        let text = try? container.decode(String.self)
        if let whole = text.flatMap({ Int64($0) }) {
            count = whole
            return
        }
        let number = try text.map { Double($0) ?? .nan } ?? container.decode(Double.self)
        guard let rounded = Int64(exactly: number.rounded()) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not a number of milliseconds")
        }
        count = rounded
    }
}
