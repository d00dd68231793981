import CloudKitService
import LocalCloud

/// Records because of which the server refuses a request as a whole, without naming the record.
extension LocalCloud {
    /// Makes records such a cause whenever they are sent.
    func poison(_ names: [String], _ code: ServerErrorCode = .serverRejectedRequest) {
        for name in names {
            faults.add(.fail(code), for: .kind(.modifyRecords, item: name), occurrences: .always)
        }
    }

    /// Makes some of the records of the next request such a cause.
    func poisonNextRequest(
        _ code: ServerErrorCode = .serverRejectedRequest,
        _ choose: @escaping @Sendable (_ names: [String]) -> [String]
    ) {
        faults.add(
            .call(.beforeCommit) { [self] request in poison(choose(Array(request.items)), code) },
            for: .kind(.modifyRecords))
        // The inspected request has no fault of its own yet, so it fails here.
        faults.add(.fail(code), for: .kind(.modifyRecords))
    }
}
