import SeededRandom

extension SeededGenerator {
    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    mutating func happens(oneIn count: Int) -> Bool {
        number(below: count) == 0
    }

    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
