/// Finds the name that a misspelled one was probably meant to be.
public enum NearestName {
    /// A question to append to a message, such as " Did you mean status?"; empty if no name is
    /// close.
    public static func question(_ name: String, among names: some Sequence<String>) -> String {
        let near = names.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
            .filter { $0.1 <= max(2, $0.0.count / 3) }
        return near.min { ($0.1, $0.0) < ($1.1, $1.0) }.map { " Did you mean \($0.0)?" } ?? ""
    }

    /// How many letters have to be inserted, removed or replaced to turn one word into the other.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (position, other) in right.enumerated() {
                let exchanged = diagonal + (letter == other ? 0 : 1)
                diagonal = row[position + 1]
                row[position + 1] = min(exchanged, diagonal + 1, row[position] + 1)
            }
        }
        return row[right.count]
    }
}
