import Foundation

/// The body of `records/modify` as a server reads it. An operation that cannot be read fails on its
/// own, and the others are read.
struct ModifyRecordsBody: Decodable {
    /// The request without its operations.
    private(set) var request: ModifyRecordsRequest
    /// The operation for each record, or the error.
    private(set) var operations: [Result<RecordOperation, ItemError>]

    /// The error for one record of a request.
    struct ItemError: Error {
        var dictionary: ErrorDictionary
    }

    private enum CodingKeys: String, CodingKey {
        case zoneID, atomic, operations, desiredKeys, numbersAsStrings, clientChangeToken
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        operations = try container.decode([Operation].self, forKey: .operations).map(\.result)
        request = ModifyRecordsRequest(
            zoneID: try container.decodeIfPresent(ZoneIDDictionary.self, forKey: .zoneID),
            atomic: try container.decodeIfPresent(Bool.self, forKey: .atomic), operations: [],
            desiredKeys: try container.decodeIfPresent([String].self, forKey: .desiredKeys),
            numbersAsStrings: try container.decodeIfPresent(
                Bool.self, forKey: .numbersAsStrings),
            clientChangeToken: try container.decodeIfPresent(
                Data.self, forKey: .clientChangeToken))
    }

    private struct Operation: Decodable {
        var result: Result<RecordOperation, ItemError>

        private enum Key: String, CodingKey { case record, recordName, operationType }

        init(from decoder: any Decoder) throws {
            let name = Self.recordName(in: decoder)
            do {
                let operation = try RecordOperation(from: decoder)
                guard name != nil || operation.operationType.mayCreate else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "Missing recordName"))
                }
                result = .success(operation)
            } catch {
                result = .failure(
                    ItemError(
                        dictionary: ErrorDictionary(
                            recordName: name ?? "", serverErrorCode: .badRequest,
                            reason: "BadRequestException: \(explanation(of: error))")))
            }
        }

        private static func recordName(in decoder: any Decoder) -> String? {
            let container = try? decoder.container(keyedBy: Key.self)
            let record = try? container?.nestedContainer(keyedBy: Key.self, forKey: .record)
            return try? record?.decodeIfPresent(String.self, forKey: .recordName)
        }
    }
}

extension RecordOperation.OperationType {
    /// Whether the operation accepts a record without a name, because it can create one.
    fileprivate var mayCreate: Bool { [.create, .forceUpdate, .forceReplace].contains(self) }
}

/// The reason why a body cannot be read, without any of its content.
func explanation(of error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        let path = context.codingPath + (key.map { [$0] } ?? [])
        return path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
            .joined(separator: ".")
    }
    switch error as? DecodingError {
    case .typeMismatch(_, let context): return "Unexpected input at '\(place(context))'"
    case .keyNotFound(let key, let context): return "Missing '\(place(context, key))'"
    case .valueNotFound(_, let context): return "Missing '\(place(context))'"
    case .dataCorrupted(let context):
        return place(context).isEmpty
            ? context.debugDescription : "\(context.debugDescription) at '\(place(context))'"
    default: return "Unexpected input"
    }
}
