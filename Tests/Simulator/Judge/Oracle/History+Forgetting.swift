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
}
