import Foundation

/// The sessions that were ended before their time: the file `EndedSessions.json` in the server's folder.
struct EndedSessions: Sendable {
    private let file: URL

    init(in folder: URL) { file = folder.appendingPathComponent("EndedSessions.json") }

    /// The sessions, with the dates until which they are remembered.
    ///
    /// - Throws: An error if the file is damaged. Without it, ended sessions would go on.
    func read() throws -> [UUID: Date] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let entries = try JSONDecoder().decode([String: Date].self, from: Data(contentsOf: file))
        let sessions = entries.compactMap { id, end in UUID(uuidString: id).map { ($0, end) } }
        return Dictionary(sessions, uniquingKeysWith: max)
    }

    /// Writes the file anew.
    func write(_ sessions: [UUID: Date]) throws {
        let entries = Dictionary(
            sessions.map { ($0.key.uuidString, $0.value) }, uniquingKeysWith: max)
        try JSONEncoder().encode(entries).write(to: file, options: .atomic)
    }
}
