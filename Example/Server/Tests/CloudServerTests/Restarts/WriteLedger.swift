import CloudKitWebServices

/// A version of a record on the server.
struct RecordVersion: Hashable, Sendable {
    /// The change tag.
    var tag: String
    /// The number that tells the version from all others of its writer.
    var number: Int64
    /// The number of the version that brought the asset; nil for a record without one.
    var assetNumber: Int64?
}

extension RecordVersion {
    /// Reads the version of a record that a server has sent.
    init?(_ record: RecordDictionary) {
        guard record.deleted != true, let tag = record.recordChangeTag,
            case .int64(let number) = record.fields["number"]?.value
        else { return nil }
        var assetNumber: Int64?
        if case .int64(let found) = record.fields["assetNumber"]?.value { assetNumber = found }
        self.init(tag: tag, number: number, assetNumber: assetNumber)
    }
}

/// A change that a writer asks for.
struct RecordChange: Sendable {
    /// The record's name.
    var name: String
    /// The number of the new version; nil for a deletion.
    var number: Int64?
    /// The uploaded asset that it brings.
    var asset: AssetDictionary?
}

/// Something that a server should have and has not, or has and should not have.
struct RestartViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What a writer knows of its records.
struct WriteLedger: Sendable {
    /// The versions of the records that are there, as the server has answered.
    private(set) var versions: [String: RecordVersion] = [:]
    /// The request that has not been answered.
    private(set) var open: [RecordChange] = []
    /// The names of all records that there ever were.
    private(set) var names: Set<String> = []

    /// Notes a request that is about to be sent.
    mutating func begin(_ changes: [RecordChange]) {
        open = changes
        names.formUnion(changes.map(\.name))
    }

    /// Notes the answer.
    mutating func end(_ response: ModifyRecordsResponse) throws {
        for (change, result) in zip(open, response.records) {
            guard let record = result.item else {
                throw RestartViolation("\(change.name) is refused: \(result)")
            }
            guard let number = change.number else {
                versions[change.name] = nil
                continue
            }
            guard let version = RecordVersion(record), version.number == number else {
                throw RestartViolation("\(change.name) is answered as \(record)")
            }
            versions[change.name] = version
        }
        guard response.records.count == open.count else {
            throw RestartViolation("\(open.count) changes have \(response.records.count) results")
        }
        open = []
    }

    /// Compares with what the server has, and takes over whether the open request was carried out.
    ///
    /// - Returns: Whether it was; nil if there was none.
    mutating func settle(_ found: [String: RecordVersion]) throws -> Bool? {
        let openNames = Set(open.map(\.name))
        for name in names.subtracting(openNames) where found[name] != versions[name] {
            throw RestartViolation(
                "\(name): answered as \(Self.text(versions[name])), is \(Self.text(found[name]))")
        }
        guard !open.isEmpty else { return nil }
        let isUntouched = open.allSatisfy { found[$0.name] == versions[$0.name] }
        let isCarriedOut = open.allSatisfy { found[$0.name]?.number == $0.number }
        guard isUntouched || isCarriedOut else {
            throw RestartViolation("A part of a request was carried out: \(open)")
        }
        for change in open { versions[change.name] = found[change.name] }
        open = []
        return isCarriedOut
    }

    private static func text(_ version: RecordVersion?) -> String {
        version.map { "\($0)" } ?? "deleted"
    }
}
