/// The result for one item of a request: the item, or an error dictionary instead.
public enum ItemResult<Item: Codable & Hashable & Sendable>: Hashable, Sendable {
    /// The item as the server has it now.
    case success(Item)
    /// Why the item failed.
    case failure(ErrorDictionary)

    /// The item, if it succeeded.
    public var item: Item? {
        if case .success(let item) = self { item } else { nil }
    }

    /// The error, if it failed.
    public var error: ErrorDictionary? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension ItemResult: Codable {
    private enum CodingKeys: String, CodingKey { case serverErrorCode }

    /// Decodes an error dictionary if there is a `serverErrorCode`, otherwise the item.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isError =
            try container.contains(.serverErrorCode)
            && !container.decodeNil(forKey: .serverErrorCode)
        self =
            isError
            ? .failure(try ErrorDictionary(from: decoder))
            : .success(try Item(from: decoder))
    }

    /// Encodes the item's or the error's own dictionary without a wrapper.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .success(let item): try item.encode(to: encoder)
        case .failure(let error): try error.encode(to: encoder)
        }
    }
}
