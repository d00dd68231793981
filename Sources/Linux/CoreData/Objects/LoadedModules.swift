import FoundationGaps

/// The Swift modules of the program, read from the type records of its executable.
///
/// `NSClassFromString` wants a module's name, and a model often leaves it out. Every Swift
/// executable lists the descriptors of its types in the ELF section `swift5_type_metadata`: four
/// bytes each, relative to their own address (the runtime finds classes by name in the same list).
/// Only names are read from there.
///
/// Shared libraries are not searched; a model with classes in one has to name the module.
final class LoadedModules: Sendable {
    static let shared = LoadedModules()

    /// The modules by the names of their top-level types.
    private let modules: [String: [String]]

    private init() {
        var found: [String: Set<String>] = [:]
        if let section = ExecutableSection(named: "swift5_type_metadata") {
            for record in stride(from: section.start, to: section.end, by: 4) {
                guard let descriptor = TypeDescriptor(record: record) else { continue }
                found[descriptor.name, default: []].insert(descriptor.module)
            }
        }
        let main = CommandLine.arguments.first.map { path in
            URL(fileURLWithPath: path).lastPathComponent.replacingOccurrences(of: "-", with: "_")
        }
        modules = found.mapValues { names in
            names.sorted { ($0 != main ? 1 : 0, $0) < ($1 != main ? 1 : 0, $1) }
        }
    }

    /// The modules that declare a type of the given name at top level.
    func names(declaring type: String) -> [String] {
        modules[type] ?? []
    }
}

/// A class's descriptor: its name and its module's.
private struct TypeDescriptor {
    let name: String
    let module: String

    private static let moduleKind: UInt32 = 0
    private static let classKind: UInt32 = 16

    /// Reads the descriptor that a record points to; nil if it is not a top-level class.
    init?(record: UInt) {
        guard let descriptor = Self.target(of: record, flags: 3),
            Self.kind(of: descriptor) == Self.classKind,
            let parent = Self.target(of: descriptor + 4, flags: 1),
            Self.kind(of: parent) == Self.moduleKind,
            let name = Self.name(of: descriptor), let module = Self.name(of: parent)
        else { return nil }
        self.name = name
        self.module = module
    }

    private static func load<T>(_ address: UInt, as type: T.Type) -> T? {
        UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: type)
    }

    private static func kind(of descriptor: UInt) -> UInt32? {
        load(descriptor, as: UInt32.self).map { $0 & 0x1F }
    }

    private static func name(of descriptor: UInt) -> String? {
        guard let address = target(of: descriptor + 8, flags: 0),
            let text = UnsafePointer<CChar>(bitPattern: address)
        else { return nil }
        return String(cString: text)
    }

    /// The target of a relative reference.
    ///
    /// - Parameters:
    ///   - address: The address of the reference.
    ///   - flags: The bits that are not part of it. The lowest of them marks an indirection through
    ///     a
    ///     pointer; in a record the next one means something on Apple's systems only.
    private static func target(of address: UInt, flags: Int32) -> UInt? {
        guard let stored = load(address, as: Int32.self), stored != 0 else { return nil }
        let place = UInt(bitPattern: Int(bitPattern: address) + Int(stored & ~flags))
        if stored & flags & 1 != 0 { return load(place, as: UInt.self) }
        return place
    }
}

/// The addresses of a section of the running executable.
private struct ExecutableSection {
    let start: UInt
    let end: UInt

    /// Finds a section by its name; nil if the file cannot be read or has none.
    init?(named name: String) {
        guard
            let image = try? Data(
                contentsOf: URL(fileURLWithPath: "/proc/self/exe"),
                options: .alwaysMapped),
            let base = Self.loadAddress(),
            image.prefix(5) == Data([0x7F, 0x45, 0x4C, 0x46, 2])
        else { return nil }
        func value<T: FixedWidthInteger>(_ offset: Int, _ type: T.Type) -> Int? {
            guard offset >= 0, offset + MemoryLayout<T>.size <= image.count else { return nil }
            return image.withUnsafeBytes {
                Int(exactly: $0.loadUnaligned(fromByteOffset: offset, as: T.self))
            }
        }
        guard let table = value(0x28, UInt64.self), let size = value(0x3A, UInt16.self),
            let count = value(0x3C, UInt16.self), let namesIndex = value(0x3E, UInt16.self),
            let names = value(table + namesIndex * size + 0x18, UInt64.self)
        else { return nil }
        for index in 0..<count {
            let header = table + index * size
            guard let nameOffset = value(header, UInt32.self),
                let address = value(header + 0x10, UInt64.self),
                let length = value(header + 0x20, UInt64.self)
            else { return nil }
            let text = image.dropFirst(names + nameOffset).prefix { $0 != 0 }
            guard text.elementsEqual(name.utf8) else { continue }
            start = base + UInt(address)
            end = start + UInt(length)
            return
        }
        return nil
    }

    /// The offset to add to an address in the file: 0 unless the executable is relocatable.
    ///
    /// The kernel tells a process where its program headers are, and the first of them contains the
    /// address that the linker assumed.
    private static func loadAddress() -> UInt? {
        let programHeadersKey: UInt = 3
        let programHeadersKind: UInt32 = 6
        guard let vector = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/auxv")) else {
            return nil
        }
        let words = vector.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: UInt.self)
            }
        }
        let entries = stride(from: 0, to: words.count - 1, by: 2)
        guard let entry = entries.first(where: { words[$0] == programHeadersKey }),
            let header = UnsafeRawPointer(bitPattern: words[entry + 1]),
            header.loadUnaligned(as: UInt32.self) == programHeadersKind
        else { return nil }
        return words[entry + 1] &- header.loadUnaligned(fromByteOffset: 16, as: UInt.self)
    }
}
