/// Devices that no longer know what the server has, or find that it no longer has what they know.
extension History {
    /// Records that a device forgets which versions of the server's records it knew. It never had one of an object
    /// that it has neither fetched nor begun to send.
    mutating func forget(at place: Int) {
        forgotten[place] = Set(copies[place].keys.filter { isExchanged($0, at: place) })
    }

    /// Records that the answers to what a device is sending in its pass may be lost.
    mutating func noteLostAnswers(to place: Int) {
        mark(\.mayLackAnswer, sentBy: place)
        for edit in edits
        where edit.place == place && edit.mayLackAnswer && edit.lostAnswer == nil {
            edits[edit.id].lostAnswer = begins[place]
        }
    }

    /// Records that a device cannot learn from records whether its edits have arrived, because they have no stamps. What
    /// it sends again may count as an edit that knows nothing that came since.
    ///
    /// - Parameter isStampless: Whether records of a kind have no stamps.
    mutating func sendAgain(lostBy place: Int, _ isStampless: (Kind) -> Bool) {
        for edit in edits
        where edit.place == place && edit.mayLackAnswer && edit.action != .delete && !edit.isVague {
            guard let kind = kinds[edit.ident], isStampless(kind), !sentAgain.contains(edit.id)
            else {
                continue
            }
            sentAgain.insert(edit.id)
            add(place, edit.ident, .update, edit.values, isVague: true)
        }
    }

    /// Records that the feed no longer tells which records were deleted. A device that does not know whether the server
    /// has had a new object sends it again.
    mutating func forgetDeletions() {
        for edit in edits where edit.action == .insert && edit.mayLackAnswer && edit.answer == nil {
            edits[edit.id].mayMissDeletion = true
        }
    }

    /// Records that the last edits, from a number on, are a user's undoing of what the user has saved before. An object
    /// that comes back that way has the record that it had.
    mutating func noteUndoing(since count: Int) {
        for id in edits.indices.dropFirst(count) where edits[id].action == .insert {
            edits[id].isUndoing = true
        }
    }

    /// Records that a device may send again what the server has had and no longer has, as if it were new.
    mutating func sendVanishedAgain(from place: Int) {
        func isGone(_ ident: String) -> Bool { !(known[serverPlace][ident] ?? []).isEmpty }
        for object in shows(place).objects.values
        where copies[serverPlace][object.ident] == nil && isGone(object.ident) {
            add(place, object.ident, .update, object.values, isVague: true)
        }
        for link in shows(place).links.subtracting(shows(serverPlace).links) where isGone(link) {
            add(place, link, .insert, isVague: true)
        }
    }

    /// Records that the server has lost everything. Nothing of that arrives at a device any longer before another one
    /// has uploaded it.
    mutating func loseZone() {
        known[serverPlace] = [:]
        perhapsKnown[serverPlace] = [:]
        for id in edits.indices {
            edits[id].arrival = nil
            edits[id].answer = nil
        }
    }

    /// Records that a device uploads to a new zone what another one may have deleted without its knowing.
    mutating func uploadDeleted(from place: Int) {
        forget(at: place)
        func isDeletedElsewhere(_ ident: String) -> Bool {
            edits(of: ident).contains { edit in
                edit.action == .delete && known[place][ident]?.contains(edit.id) != true
            }
        }
        for object in shows(place).objects.values where isDeletedElsewhere(object.ident) {
            add(place, object.ident, .update, object.values, isVague: true)
        }
        for link in shows(place).links where isDeletedElsewhere(link) {
            add(place, link, .insert, isVague: true)
        }
    }
}
