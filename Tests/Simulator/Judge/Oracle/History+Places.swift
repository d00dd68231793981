/// Files that are copied, or replaced by older copies of themselves.
extension History {
    /// Adds a place that shows and knows the same as a place does now: a copy of its file.
    ///
    /// - Returns: The number of the new place, and the edits that wait in the file.
    mutating func copyPlace(_ place: Int) -> (copy: Int, waiting: [Int]) {
        let copy = known.count
        known.append(known[place])
        perhapsKnown.append(perhapsKnown[place])
        shown.append(shown[place])
        copies.append(copies[place])
        late.append(late[place])
        unsent.append([])
        hasForgotten.append(hasForgotten[place])
        forgotten.append(forgotten[place])
        isUnderWay.append(false)
        newFields.append(newFields[place])
        lastPass.append(lastPass[place])
        unknownNames.append(unknownNames[place])
        begins.append(begins[place])
        syncedSince[copy] = syncedSince[place]
        for id in edits.indices { edits[id].meetings[copy] = edits[id].meetings[place] }
        return (copy, unsent[place])
    }

    /// Records that a file and a copy of it are in use from now on. What waits in both is sent by both, no matter whether
    /// the other one has sent it. This may count as an edit that knows nothing that came after the copy. A deletion is
    /// one.
    ///
    /// - Parameter copy: The place of one of the two.
    mutating func sendTwice(from copy: Int, _ waiting: [Int]) {
        for id in waiting {
            let edit = edits[id]
            if edit.action == .insert, edit.firstAttempt == nil {
                neverSent[copy, default: []].insert(edit.ident)
            }
            switch edit.action {
            case .delete:
                add(copy, edit.ident, .delete)
                edits[edits.count - 1].isOfCopy = edit.isOfCopy
                edits[edits.count - 1].shown = edit.shown
            case .insert where isLink(edit.ident): add(copy, edit.ident, .insert, isVague: true)
            default: add(copy, edit.ident, .update, edit.values, isVague: true)
            }
        }
    }

    /// Records that a place has deleted something. If it waits here to be sent for the first time, nothing is sent, though
    /// the other one of two files may have sent it.
    mutating func noteUnsentDeletion(_ ident: String, at place: Int) {
        guard neverSent[place]?.contains(ident) == true else { return }
        if !isLink(ident) { return touch(ident) }
        for end in ident.split(separator: "|").dropFirst() { touch(String(end)) }
    }

    /// All places that there have been. Those that are no more show nothing.
    var places: Range<Int> { known.indices }

    /// Whether anything of a place may be lost with its file.
    func hasUnsent(_ place: Int) -> Bool { !unsent[place].isEmpty }

    /// Records that a file is no more.
    mutating func retire(_ place: Int) {
        retired.insert(place)
        shown[place] = Snapshot()
        copies[place] = [:]
        bury()
    }
}
