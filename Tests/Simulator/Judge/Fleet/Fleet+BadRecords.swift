import Seam3

/// The effects of bad records and assets on others.
extension Fleet {
    /// One bad record or asset does not hold up others: everything else has arrived everywhere.
    func judgeStandstill() async throws {
        let bad = wire.poisonedIdents.union(lostAssets)
        guard !bad.isEmpty else { return }
        cloud.temper = .kind
        // Changes that were refused earlier wait for their next try, or for this.
        for app in apps { try relaunch(app) }
        for number in 1...4 {
            for app in apps {
                _ = try await pass(app, complete: false)
                guard number == 4, let difference = heldUp(on: app, except: related(to: bad)) else {
                    continue
                }
                complain("one bad record holds up others", "\(difference); bad: \(bad.sorted())")
            }
        }
    }

    /// The objects that may have to wait for some objects whose records or assets are bad, and these.
    func related(to bad: Set<String>) -> Set<String> {
        var related = bad
        for place in history.places {
            for (ident, copies) in history.shows(place).byIdent {
                let names = Set(copies.flatMap { $0.values.values.flatMap(\.names) })
                if !names.isDisjoint(with: bad) { related.insert(ident) }
                if bad.contains(ident) { related.formUnion(names) }
            }
        }
        return related.union(rivals(of: bad)).union(idents(withRecordsOf: bad))
            .union(partners(of: bad))
    }

    /// The objects that have been partners of some objects at any place, of these, and so on. No pair of theirs can
    /// change before the server knows the former one's end.
    private func partners(of idents: Set<String>) -> Set<String> {
        let objects = history.places.flatMap { history.shows($0).objects.values }
        var found = idents
        while true {
            let count = found.count
            for object in objects {
                let pair = Set([object.ident] + (object.values["partner"]?.names ?? []))
                if !pair.isDisjoint(with: found) { found.formUnion(pair) }
            }
            if found.count == count { return found }
        }
    }

    /// A difference between a device and the server, apart from some objects and from the ends of
    /// relationships that other objects determine.
    func heldUp(on app: App, except related: Set<String>) -> String? {
        func unrelated(_ place: Int) -> Snapshot {
            var snapshot = history.shows(place)
            snapshot.objects = snapshot.objects.filter { !related.contains($0.value.ident) }
            return snapshot
        }
        return Difference.first(
            unrelated(app.place), unrelated(serverPlace), "on \(app.name)", "on the server",
            ignoring: Set(Kind.allCases.flatMap(\.toMany.keys)))
    }

    /// The objects that have the same destination of a one-to-one relationship at one place as one of
    /// some objects at another place. They cannot have it until the server knows that the other one
    /// gave it up.
    private func rivals(of idents: Set<String>) -> Set<String> {
        let objects = history.places.flatMap { history.shows($0).objects.values }
        let owners = objects.filter { idents.contains($0.ident) }
        let destinations = Set(owners.compactMap { $0.values["node"] }).subtracting([Value.none])
        return Set(
            objects.filter { $0.values["node"].map(destinations.contains) ?? false }.map(\.ident))
    }

    /// The other objects whose records may be those of some objects, because both are named for the same
    /// natural key.
    private func idents(withRecordsOf idents: Set<String>) -> Set<String> {
        let oracle = oracle(for: Snapshot())
        var keys: [Kind: Set<Value>] = [:]
        for ident in idents {
            guard let kind = history.kinds[ident] else { continue }
            keys[kind, default: []].formUnion(oracle.keysOfRecord(of: ident))
        }
        return Set(
            history.kinds.filter { ident, kind in
                !idents.contains(ident)
                    && !oracle.keysOfRecord(of: ident).isDisjoint(with: keys[kind] ?? [])
            }.keys)
    }

    /// Deletions on which no save depends were sent by a pass that met only bad records. If the server asks to send one
    /// of them later, the next passes may do so.
    ///
    /// - Parameters:
    ///   - bad: The objects whose records were refused when the pass began.
    ///   - lost: The objects whose assets could not be downloaded then.
    func checkDeletions(
        _ exchange: History.Exchange, _ app: App, _ bad: Set<String>, lost: Set<String>
    ) throws {
        guard setting.mode == .poison, !wire.postpones else { return }
        let mine = history.shows(app.place).byIdent
        let shown = history.shows(serverPlace).byIdent
        // A deletion of a record that a bad object has taken over is not sent, but the object is.
        let excused = bad.union(idents(withRecordsOf: bad))
            .union(lost.intersection(try undecided(on: app)))
        for deletion in history.firstAttempts(of: exchange) where deletion.action == .delete {
            let ident = deletion.ident
            guard mine[ident] == nil, shown[ident] != nil, !excused.contains(ident),
                !history.hasReferrer(ident)
            else { continue }
            complain(
                "one bad record holds up others",
                "\(ident) is deleted on \(app.name), and a pass has not sent it; bad:"
                    + " \(bad.union(lost).sorted())")
        }
    }

    /// The objects whose records a device reports as not fetched, and whose deletion therefore has to
    /// wait, because an edit on the server would win against it.
    private func undecided(on app: App) throws -> Set<String> {
        let names = try app.store.syncStatus().unfetchedRecords.keys
        let oracle = oracle(for: app.seen)
        return Set(
            names.compactMap(server.ident).filter {
                oracle.policy(of: $0) != .clientRecordWins
            })
    }

    /// The objects whose assets cannot be downloaded.
    var lostAssets: Set<String> {
        let sizes = wire.lostAssetSizes
        var idents: Set<String> = []
        for place in history.places {
            for object in history.shows(place).objects.values {
                if case .data(let size)? = object.values["photo"], sizes.contains(size) {
                    idents.insert(object.ident)
                }
            }
        }
        return idents
    }
}
