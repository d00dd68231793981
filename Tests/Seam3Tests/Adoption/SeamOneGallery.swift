import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import SeededRandom
import Testing

/// Random objects of `GalleryModel`, as Seam3 1 had them: its records on the server, and its file, in which users have
/// changed some of them since.
struct SeamOneGallery {
    private struct Object {
        let entity: String
        let key: String
        let number: Int64
        var values: [String: SQLiteValue] = [:]
        /// To-one relationship → the key of the destination.
        var links: [String: String] = [:]
    }

    /// The kinds of change sets, with their numbers in the file.
    private enum Change: Int64 { case update = 1, deletion, insertion }

    private var random: SeededGenerator
    private var onServer: [Object] = []
    private var inFile: [Object] = []
    /// What was changed in the file and not sent, in this order.
    private var changes: [(key: String, change: Change, attributes: [String])] = []
    private(set) var log: [String] = []
    private var counter = 0

    /// - Parameters:
    ///   - random: The source of the decisions.
    ///   - owners: Users, each with objects of their own. Everything refers only to objects of the same
    ///     owner, or to albums of the last one.
    ///   - changing: The owners whose objects are changed in the file.
    init(_ random: inout SeededGenerator, owners: [String], changing: [String]) {
        self.random = SeededGenerator(seed: random.next())
        for owner in owners { addObjects(of: owner, sharing: owners.last ?? owner) }
        inFile = onServer
        for object in onServer where changing.contains(where: object.key.hasPrefix) {
            let links = object.links.sorted { $0.key < $1.key }.map(\.value)
            log.append("\(object.key) \(object.values.keys.sorted()) \(links)")
        }
        for _ in 0..<Int.random(in: 0...5, using: &self.random) {
            if let owner = changing.randomElement(using: &self.random) { change(owner) }
        }
    }

    // MARK: - Objects

    private mutating func value(of attribute: String) -> SQLiteValue {
        counter += 1
        switch attribute {
        case "taken", "opened", "rating", "width": return .real(Double(counter) + 0.5)
        default: return .text("\(attribute) \(counter)")
        }
    }

    private mutating func object(_ entity: String, of owner: String) -> Object {
        counter += 1
        var object = Object(
            entity: entity, key: "\(owner)-\(entity.lowercased())-\(counter)",
            number: Int64(counter))
        for attribute in GalleryModel.attributes[entity] ?? [] {
            let isNil = Int.random(in: 0..<5, using: &random) == 0
            if !isNil { object.values[attribute] = value(of: attribute) }
        }
        return object
    }

    private mutating func addObjects(of owner: String, sharing shared: String) {
        for (entity, count) in [("Album", 2), ("Frame", 2), ("Photo", 4)] {
            for _ in 0..<count { onServer.append(object(entity, of: owner)) }
        }
        let albums = onServer.filter { $0.entity == "Album" }.map(\.key)
        var frames = onServer.filter { $0.entity == "Frame" && $0.key.hasPrefix(owner) }.map(\.key)
        for index in onServer.indices
        where onServer[index].entity == "Photo" && onServer[index].key.hasPrefix(owner) {
            let own = albums.filter { $0.hasPrefix(owner) || $0.hasPrefix(shared) }
            if Int.random(in: 0..<4, using: &random) > 0 {
                onServer[index].links["album"] = own.randomElement(using: &random)
            }
            if Bool.random(using: &random), let frame = frames.popLast() {
                Self.put(onServer[index].key, in: frame, &onServer)
            }
        }
    }

    /// Sets both ends of the one-to-one relationship, and removes the former ones.
    private static func put(_ photo: String?, in frame: String?, _ objects: inout [Object]) {
        for index in objects.indices {
            let object = objects[index]
            if object.entity == "Photo" {
                if object.key == photo {
                    objects[index].links["frame"] = frame
                } else if frame != nil, object.links["frame"] == frame {
                    objects[index].links["frame"] = nil
                }
            } else if object.entity == "Frame" {
                if object.key == frame {
                    objects[index].links["photo"] = photo
                } else if photo != nil, object.links["photo"] == photo {
                    objects[index].links["photo"] = nil
                }
            }
        }
    }

    // MARK: - Changes in the file

    /// Changes the file as a user of Seam3 1 did, without a sync afterward.
    private mutating func change(_ owner: String) {
        let before = inFile
        let own = inFile.indices.filter { inFile[$0].key.hasPrefix(owner) }
        guard let index = own.randomElement(using: &random) else { return }
        let object = inFile[index]
        let keys = Dictionary(grouping: own.map { inFile[$0] }, by: \.entity)
            .mapValues { $0.map(\.key) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            guard
                let name = GalleryModel.attributes[object.entity]?.randomElement(using: &random)
            else { return }
            let removes = Int.random(in: 0..<3, using: &random) == 0
            inFile[index].values[name] = removes ? nil : value(of: name)
        case 5, 6:
            guard object.entity == "Photo" else { return }
            let removes = Int.random(in: 0..<3, using: &random) == 0
            inFile[index].links["album"] =
                removes ? nil : keys["Album"]?.randomElement(using: &random)
        case 7:
            guard object.entity == "Photo" else { return }
            let removes = Int.random(in: 0..<3, using: &random) == 0
            Self.put(
                object.key, in: removes ? nil : keys["Frame"]?.randomElement(using: &random),
                &inFile)
        case 8:
            inFile.remove(at: index)
            for index in inFile.indices {
                inFile[index].links = inFile[index].links.filter { $0.value != object.key }
            }
        default:
            var new = self.object(object.entity, of: owner)
            if new.entity == "Photo" {
                new.links["album"] = keys["Album"]?.randomElement(using: &random)
            }
            inFile.append(new)
        }
        noteChanges(since: before)
    }

    /// Adds the change sets that Seam3 1 wrote for a save.
    private mutating func noteChanges(since before: [Object]) {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0) })
        for object in inFile {
            guard let former = old[object.key] else {
                changes.append((object.key, .insertion, []))
                log.append("file: \(object.key) inserted")
                continue
            }
            let names = Set(object.values.keys).union(former.values.keys)
                .filter { object.values[$0] != former.values[$0] }
            let ends = Set(object.links.keys).union(former.links.keys)
                .filter { object.links[$0] != former.links[$0] }
            guard !names.isEmpty || !ends.isEmpty else { continue }
            // A change set may name more than was changed. The references are always sent.
            let all = GalleryModel.attributes[object.entity] ?? []
            changes.append(
                (object.key, .update, Bool.random(using: &random) ? all : names.sorted()))
            log.append("file: \(object.key) \(names.union(ends).sorted()) changed")
        }
        for key in old.keys.sorted() where !inFile.contains(where: { $0.key == key }) {
            changes.append((key, .deletion, []))
            log.append("file: \(key) deleted")
        }
    }

    // MARK: - The server and the file

    /// Saves the records as Seam3 1 did, with references that cascade, and writes the file.
    func write(to cloud: LocalCloud) async throws -> AdoptedFile {
        let client = RawClient(cloud)
        try await client.createZone()
        var saved: [String: SMCloudRecord] = [:]
        for object in onServer {
            let record = client.record(object.entity, named: object.key, ["key": object.key])
            for (name, value) in object.values {
                switch value {
                case .real(let seconds) where GalleryModel.dates.contains(name):
                    record[name] = Date(timeIntervalSinceReferenceDate: seconds)
                case .real(let number): record[name] = number
                case .text(let text): record[name] = text
                default: break
                }
            }
            saved[object.key] = try await client.saved(record)
        }
        // A reference that cascades requires that its destination is there.
        for object in onServer where !object.links.isEmpty {
            let record = try await client.record(named: object.key)
            for (name, key) in object.links {
                record[name] = client.reference(to: key, action: .deleteSelf)
            }
            saved[object.key] = try await client.saved(record)
        }
        return try file(saved)
    }

    private func file(_ saved: [String: SMCloudRecord]) throws -> AdoptedFile {
        let numbers = Dictionary(uniqueKeysWithValues: inFile.map { ($0.key, $0.number) })
        let rows = inFile.map { object in
            var row = CoreDataFileWriter.Row(object.entity, object.number, object.values)
            row.values["key"] = .text(object.key)
            row.toOnes = object.links.compactMapValues { numbers[$0] }
            return row
        }
        let file = try AdoptedFile(GalleryModel.make(), rows)
        for entity in GalleryModel.entities {
            try file.addRecordColumns(to: "Z\(entity.uppercased())")
        }
        for object in inFile {
            let table = "Z\(object.entity.uppercased())"
            if let record = saved[object.key] {
                try file.addRecord(record, to: table, key: object.number)
            } else {
                try file.change(
                    "UPDATE \(table) SET ZSM_LOCALSTORE_RECORDID = ? WHERE Z_PK = ?",
                    [.text(object.key), .integer(object.number)])
            }
        }
        for (key, change, attributes) in changes {
            try file.addChange(change.rawValue, of: key, changing: attributes)
        }
        return file
    }
}
