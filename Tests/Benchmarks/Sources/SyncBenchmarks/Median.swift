/// The median of some numbers.
func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
