import CoreData

/// A request that was to save or delete an object. It is stored before it is sent, and stays until the server's version
/// of the object is known.
struct SentRequest: Equatable {
    /// The random number with which the record's edit stamps name it; nil for a deletion, a link, and a request without
    /// stamps.
    var token: UInt64?
    /// The local revision that it sent.
    var revision: Int64
    /// The properties that it held back, with what the server has of them if it was carried out.
    var held = PropertyValues()
    /// Whether it was to delete the object.
    var isDeletion = false
    /// Whether the server has refused it. A network may repeat it nevertheless.
    var isRefused = false
    /// Whether the server was forgotten since, because its zone was lost or the app has reset the store.
    var isForgotten = false
}

private enum Coding {
    /// How many requests are kept. There are several only if none is answered.
    static let mostRequests = 16

    static let deletion = "d"
    static let refusal = "x"
    static let forgotten = "f"
    static let held = "h"
    static let token = "t"
}

extension [SentRequest] {
    /// The last revision that was sent; nil if none was.
    var lastRevision: Int64? { map(\.revision).max() }

    /// These requests and another one.
    func adding(_ request: SentRequest) -> [SentRequest] {
        suffix(Coding.mostRequests - 1) + [request]
    }

    /// These requests, with the values of what was held back changed by a closure.
    func mapHeld(_ transform: (PropertyValues) -> PropertyValues) -> [SentRequest] {
        map { request in
            var changed = request
            if !request.held.values.isEmpty { changed.held = transform(request.held) }
            return changed
        }
    }

    /// What a column of the file has; NULL if there is none.
    ///
    /// A request begins with an empty name and the revision. Then "t" has the token, "d" says that it was a deletion, "x"
    /// that it was refused, "f" that the server was forgotten since, and "h" with the name of a property what the server has
    /// of one that was held back.
    var stored: SQLiteValue {
        if isEmpty { return .null }
        var encoder = PropertyValues.Encoder()
        for request in self {
            encoder.append("", .integer(request.revision))
            if let token = request.token {
                encoder.append(Coding.token, .integer(Int64(bitPattern: token)))
            }
            if request.isDeletion { encoder.append(Coding.deletion, .null) }
            if request.isRefused { encoder.append(Coding.refusal, .null) }
            if request.isForgotten { encoder.append(Coding.forgotten, .null) }
            for (name, value) in request.held.values.sorted(by: { $0.key < $1.key }) {
                encoder.append(Coding.held + name, value)
            }
        }
        return .blob(encoder.data)
    }

    /// Reads what ``stored`` wrote, up to the first damaged bytes.
    init(stored value: SQLiteValue) {
        self = []
        guard let data = value.blob else { return }
        var reader = PropertyValues.Reader(bytes: [UInt8](data))
        while let (key, value, _) = reader.nextEntry() {
            if key.isEmpty {
                guard let revision = value.integer, OutboxTable.revisions.contains(revision) else {
                    return
                }
                append(SentRequest(revision: revision))
                continue
            }
            guard let last = indices.last else { return }
            switch key {
            case Coding.token:
                self[last].token = value.integer.map { UInt64(bitPattern: $0) }
            case Coding.deletion: self[last].isDeletion = true
            case Coding.refusal: self[last].isRefused = true
            case Coding.forgotten: self[last].isForgotten = true
            default: self[last].held[String(key.dropFirst())] = value
            }
        }
    }
}
