import Foundation

extension FieldValue {
    /// Decodes a value of a known type, or of the type that its form suggests.
    init(from decoder: any Decoder, type: FieldType?) throws {
        let type = type?.spelledAsDocumented ?? Self.suggestedType(of: decoder)
        if let element = type.element {
            let isKnown = !type.namesNoElement
            self = .list(try Self.elements(from: decoder, type: isKnown ? element : nil))
            return
        }
        let container = try decoder.singleValueContainer()
        switch type {
        case .string: self = .string(try container.decode(String.self))
        case .int64: self = .int64(try Self.integer(from: container))
        case .double: self = .double(try Self.double(from: container))
        case .bytes: self = .bytes(try container.decode(Data.self))
        case .timestamp: self = .timestamp(try container.decode(Milliseconds.self).count)
        case .location: self = .location(try container.decode(LocationDictionary.self))
        case .reference: self = .reference(try container.decode(ReferenceDictionary.self))
        case .asset: self = .asset(try container.decode(AssetDictionary.self))
        default:
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Unknown field type \(type.rawValue)")
        }
    }

    /// Encodes the bare value.
    func encode(to encoder: any Encoder) throws {
        if case .list(let elements) = self {
            var container = encoder.unkeyedContainer()
            for element in elements { try element.encode(to: container.superEncoder()) }
            return
        }
        var container = encoder.singleValueContainer()
        let quotesNumbers = encoder.userInfo[.numbersAsStrings] as? Bool == true
        switch self {
        case .string(let text): try container.encode(text)
        case .int64(let number) where quotesNumbers: try container.encode("\(number)")
        case .timestamp(let number) where quotesNumbers: try container.encode("\(number)")
        case .double(let number) where quotesNumbers: try container.encode("\(number)")
        case .int64(let number), .timestamp(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .bytes(let data): try container.encode(data)
        case .location(let location): try container.encode(location)
        case .reference(let reference): try container.encode(reference)
        case .asset(let asset): try container.encode(asset)
        case .list: break
        }
    }

    private static func elements(
        from decoder: any Decoder, type: FieldType?
    ) throws -> [FieldValue] {
        var container = try decoder.unkeyedContainer()
        var elements: [FieldValue] = []
        while !container.isAtEnd {
            elements.append(try FieldValue(from: container.superDecoder(), type: type))
        }
        return elements
    }

    // Requests with `numbersAsStrings` put their numbers in quotes.
    private static func integer(from container: any SingleValueDecodingContainer) throws -> Int64 {
        if let number = try? container.decode(Int64.self) { return number }
        if let isTrue = try? container.decode(Bool.self) { return isTrue ? 1 : 0 }
        guard let number = Int64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not an integer")
        }
        return number
    }

    private static func double(from container: any SingleValueDecodingContainer) throws -> Double {
        if let number = try? container.decode(Double.self) { return number }
        guard let number = Double(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a number")
        }
        return number
    }

    private enum Hint: String, CodingKey { case latitude, recordName }

    private static func suggestedType(of decoder: any Decoder) -> FieldType {
        if (try? decoder.unkeyedContainer()) != nil { return .unknownList }
        if let keys = try? decoder.container(keyedBy: Hint.self) {
            return keys.contains(.latitude)
                ? .location : keys.contains(.recordName) ? .reference : .asset
        }
        guard let container = try? decoder.singleValueContainer() else { return .string }
        if (try? container.decode(Int64.self)) != nil { return .int64 }
        if (try? container.decode(Bool.self)) != nil { return .int64 }
        return (try? container.decode(Double.self)) != nil ? .double : .string
    }
}

extension FieldType {
    /// The type that some clients use for every list.
    static let anyList = Self(rawValue: "LIST")

    /// Whether this is a list type that does not name the type of the elements.
    var namesNoElement: Bool {
        [.unknownList, Self(rawValue: "EMPTY_LIST")].contains(self)
    }

    /// Apple's name for the type. Other clients also use `ASSET`, and CloudKit JS uses `BOOLEAN`
    /// for integers.
    var spelledAsDocumented: FieldType {
        switch rawValue {
        case "ASSET": .asset
        case "ASSET_LIST": Self.asset.list
        case "BOOLEAN": .int64
        case "BOOLEAN_LIST": Self.int64.list
        case Self.anyList.rawValue: .unknownList
        default: self
        }
    }
}
