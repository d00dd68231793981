/// Creates the symbol names of managed properties and methods.
///
/// It follows Swift's `docs/ABI/Mangling.rst` for the few productions that `@NSManaged` members
/// need. Names are part of Swift's stable ABI on Apple's systems, and in practice on Linux.
/// Repetitions in a name are replaced by references: whole identifiers and types by substitutions
/// (`A` and a letter), and words inside identifiers by `0` and a letter. Both are numbered in the
/// order in which they first appear, so one mangler creates one symbol.
struct Mangler {
    private let module: String
    private var symbol = "$s"
    private var identifiers = MangledIdentifiers()

    /// The parts of a symbol that can be referenced.
    private enum Substitution: Hashable {
        case identifier(String)
        case type(ManagedType)
    }

    private var substitutions: [Substitution: Int] = [:]

    /// The substitution at the end of the symbol, with which an adjacent one is merged.
    private var last: (end: Int, length: Int, letter: Character, count: Int, isStandard: Bool)?

    private init(module: String) {
        self.module = module
    }

    // MARK: - Members

    /// The two symbols of a property.
    ///
    /// - Parameters:
    ///   - owner: The class, inside the types around it.
    ///   - discriminator: Distinguishes names that are private to a file.
    static func accessors(
        of name: String, type: ManagedType, in owner: [ManagedType.Nominal], module: String,
        discriminator: String? = nil
    ) -> (getter: String, setter: String) {
        var mangler = Mangler(module: module)
        mangler.appendNominal(module: module, path: owner[...])
        mangler.appendIdentifier(name)
        mangler.appendDiscriminator(discriminator)
        mangler.append(type)
        return (mangler.symbol + "vg", mangler.symbol + "vs")
    }

    /// The symbol of a method that returns nothing.
    static func method(
        _ name: String, parameters: [(label: String?, type: ManagedType)],
        in owner: [ManagedType.Nominal], module: String, discriminator: String? = nil
    ) -> String {
        var mangler = Mangler(module: module)
        mangler.appendNominal(module: module, path: owner[...])
        mangler.appendIdentifier(name)
        mangler.appendDiscriminator(discriminator)
        mangler.append(parameters)
        return mangler.symbol + "F"
    }

    private mutating func appendDiscriminator(_ discriminator: String?) {
        guard let discriminator else { return }
        appendIdentifier(discriminator)
        symbol += "LL"
    }

    /// Appends labels, the empty result, and the types of parameters.
    private mutating func append(_ parameters: [(label: String?, type: ManagedType)]) {
        if parameters.contains(where: { $0.label != nil }) {
            for parameter in parameters {
                if let label = parameter.label { appendIdentifier(label) } else { symbol += "_" }
            }
        } else if !parameters.isEmpty {
            symbol += "y"
        }
        symbol += "y"
        if parameters.isEmpty { symbol += "y" }
        for (index, parameter) in parameters.enumerated() {
            append(parameter.type)
            // A single parameter without a label has no list around it.
            if index == 0, parameters.count > 1 || parameter.label != nil { symbol += "_" }
        }
        if parameters.count > 1 || parameters.first?.label != nil { symbol += "t" }
    }

    // MARK: - Types

    private mutating func append(_ type: ManagedType) {
        switch type {
        case .shorthand(let shorthand):
            appendStandard(Character(shorthand.rawValue))
        case .nominal(let module, let path):
            appendNominal(module: module, path: path[...])
        case .optional(let wrapped):
            appendOnce(type) {
                $0.append(wrapped)
                $0.symbol += "Sg"
            }
        case .array(let element):
            appendGeneric(type, "a", [element])
        case .set(let element):
            appendGeneric(type, "h", [element])
        case .dictionary(let key, let value):
            appendGeneric(type, "D", [key, value])
        case .any:
            symbol += "yp"
        case .anyObject:
            symbol += "yXl"
        }
    }

    private mutating func appendGeneric(
        _ type: ManagedType, _ letter: Character, _ arguments: [ManagedType]
    ) {
        appendOnce(type) {
            $0.appendStandard(letter)
            $0.symbol += "y"
            for argument in arguments { $0.append(argument) }
            $0.symbol += "G"
        }
    }

    private mutating func appendNominal(
        module: String, path: ArraySlice<ManagedType.Nominal>
    ) {
        guard let innermost = path.last else {
            if module == "Swift" { symbol += "s" } else { appendIdentifier(module) }
            return
        }
        appendOnce(.nominal(module: module, path: Array(path))) {
            $0.appendNominal(module: module, path: path.dropLast())
            $0.appendIdentifier(innermost.name)
            $0.symbol += innermost.kind.rawValue
        }
    }

    // MARK: - Substitutions

    /// Appends a type in full, or a reference to its first appearance.
    private mutating func appendOnce(_ type: ManagedType, _ append: (inout Mangler) -> Void) {
        if let index = substitutions[.type(type)] { return appendReference(to: index) }
        append(&self)
        substitutions[.type(type)] = substitutions.count
    }

    private mutating func appendIdentifier(_ name: String) {
        if let index = substitutions[.identifier(name)] { return appendReference(to: index) }
        substitutions[.identifier(name)] = substitutions.count
        identifiers.append(name, to: &symbol)
    }

    private mutating func appendReference(to index: Int) {
        guard index < 26 else {
            let number = index - 26
            symbol += number == 0 ? "A_" : "A\(number - 1)_"
            return
        }
        appendJoining(
            Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(index))), isStandard: false)
    }

    private mutating func appendStandard(_ letter: Character) {
        appendJoining(letter, isStandard: true)
    }

    /// Appends a reference, merged with the preceding one: `AB` and `AC` become `AbC`, `Si` and
    /// `Si` become `S2i`.
    private mutating func appendJoining(_ letter: Character, isStandard: Bool) {
        if var last, last.end == symbol.utf8.count, last.isStandard == isStandard {
            if last.letter == letter {
                last.count += 1
                symbol.removeLast(last.length)
                let joined = "\(last.count)\(letter)"
                symbol += joined
                last.length = joined.utf8.count
                last.end = symbol.utf8.count
                self.last = last
                return
            }
            if !isStandard {
                symbol.removeLast()
                symbol += last.letter.lowercased() + String(letter)
                self.last = (symbol.utf8.count, 1, letter, 1, false)
                return
            }
        }
        symbol += (isStandard ? "S" : "A") + String(letter)
        last = (symbol.utf8.count, 1, letter, 1, isStandard)
    }
}
