/// What is known of each edit.
extension History {
    func isLink(_ ident: String) -> Bool { ident.contains("|") }

    /// Properties that are not part of the object's own record.
    static let elsewhere: Set<String> = ["nodes", "picks", "picked", "friends", "tags"]
    /// Those, and the ends of one-to-one relationships that may follow from the other ends.
    static let decidedElsewhere = elsewhere.union(["cover", "partner"])

    /// Whether a device knows an edit of an object that it has fetched, or has begun to send.
    func isExchanged(_ ident: String, at place: Int) -> Bool {
        (known[place][ident] ?? []).contains {
            edits[$0].place != place || edits[$0].firstAttempt != nil
        }
    }

    /// One save's effect on one object, or on one link between two objects.
    struct Edit {
        enum Action { case insert, update, delete }

        let id: Int
        /// The place where it was made.
        let place: Int
        let ident: String
        let action: Action
        /// The object's properties after the save.
        let values: [String: Value]
        /// The properties that the user set, for an insertion; all changed properties, for an
        /// update.
        let named: Set<String>
        /// The edits of the same object that had been seen at the place.
        let past: Set<Int>
        /// These edits, and all that a failed pass may have brought to the place.
        let possiblePast: Set<Int>
        /// By property, those of the seen edits whose reference had not arrived at the place.
        let unseen: [String: Set<Int>]
        /// By attribute, those of the seen edits that the place did not show, because they were in a field that
        /// it does not read, or had not read yet.
        let outOfSight: [String: Set<Int>]
        /// The time, which advances with each edit and each snapshot.
        let birth: Int
        /// The time since which no place shows anything of it.
        var death: Int?
        /// The time since which nothing is left of it, not even the nil of a reference that it has led elsewhere.
        var end: Int?
        /// Whether it had not certainly arrived when its values had gone.
        var mayLeaveNil = false
        /// The same of an edit that stays one, because devices may have lost its values to damage.
        var gone: Int?
        /// By property, the time since which no place shows a reference that has arrived late.
        var faded: [String: Int] = [:]
        /// Whether it only might count as an edit: nothing was changed, but the store was told to
        /// send everything again.
        var isVague = false
        /// Whether it was unsent when its store was told to forget the server, or was made after
        /// that. Its base version is unknown then.
        var isUnfounded = false
        /// Whether it is the deletion of one of several copies, some of which remain.
        var isOfCopy = false
        /// The object in whose place it has created one with the same unique values.
        var takenPlace: String?
        /// All edits of any object that had been seen at the place.
        let seen: Set<Int>
        /// What its place had shown of the attributes that its model stores in new fields.
        let inNewFields: [String: Set<Value>]
        /// When its place's last successful pass before it began.
        let lastPass: Int?
        /// The values that an update has replaced.
        var replaced: [String: Value] = [:]
        /// All values of the object that its place showed, after an update or before a deletion.
        var shown: [String: Value] = [:]
        /// Whether it only removes references to objects that the same save deletes, or changes a
        /// one-to-one relationship.
        var isRelease = false
        /// The references that are nil because the same save has deleted their destinations, unless it is certain that
        /// this was sent.
        var released: Set<String> = []
        /// Those of them whose destinations were back before the removal could be sent, and whose nil is no edit.
        var givenBack: Set<String> = []
        /// The removed references that the server had, as their device knew, at the time of the deletion and when the
        /// device first began a sync after that.
        var settled: Set<String> = []
        /// Whether it is an update by a new version of the model, which syncs what was not synced before. No user
        /// has edited anything.
        var isOfMigration = false
        /// Whether it has written default content, which no user has edited.
        var isSeed = false
        /// The properties whose values its place has lost to damage before the server certainly had them.
        var lost: Set<String> = []
        /// When its place first began a sync after it.
        var firstAttempt: Int?
        /// When a pass of its place first succeeded after it.
        var answer: Int?
        /// When it certainly was on the server.
        var arrival: Int?
        /// Whether the response to the request that has sent it may have been lost.
        var mayLackAnswer = false
        /// Whether it has made an object of whose deletion the feed does not tell its place: the response to the request
        /// that has sent it may have been lost, and the feed no longer tells of the deletions from before.
        var mayMissDeletion = false
        /// When the first pass began whose response to that may have been lost.
        var lostAnswer: Int?
        /// The attributes that its place's model did not have or sync, nor any later one that the place got before
        /// the server certainly had it.
        var unknown: Set<String> = []
        /// The attributes that its place's model syncs since some time, though they were local before, and that the
        /// place had not read since when it was made. If the server certainly had it before, there are none.
        var unread: [String: Int] = [:]
        /// By place, when the first pass began after which the place may have had it.
        var meetings: [Int: Int] = [:]
        /// Whether it is a deletion whose device has lost the system fields of the object's record to damage, and
        /// has then met a version of the record that it had not received.
        var mayMeetAnother = false
        /// Whether it is a deletion whose device had forgotten which version of the object's record it knew, and had
        /// not heard of the object since.
        var hasForgottenVersion = false
        /// Whether it has made an object again by undoing its deletion, so that it has the same record.
        var isUndoing = false
        /// When another device certainly had taken it over from a former field.
        var takeover: Int?
        /// By property, when the server last ceased to show its value.
        var departures: [String: Int] = [:]
        /// Whether another device shows it though it was gone, because the answer to its pass may have had it.
        var hasReturned = false

        func knows(_ other: Edit) -> Bool { past.contains(other.id) }
        func mayKnow(_ other: Edit) -> Bool { possiblePast.contains(other.id) }

        /// Whether its user had seen what another edit has made of a property.
        func knows(_ other: Edit, _ name: String) -> Bool {
            knows(other) && unseen[name]?.contains(other.id) != true
        }

        /// Whether its user had seen another edit completely.
        func knowsWhole(_ other: Edit) -> Bool {
            knows(other) && !unseen.values.contains { $0.contains(other.id) }
        }

        /// Whether it is only of an order, which is in the members' records or in those of links.
        var isOfOrder: Bool {
            action == .update && values.keys.allSatisfy(History.elsewhere.contains)
        }

        /// Whether a place that shows a later edit of a property must have got it, too. An order is in
        /// other records than the rest of its object, and than another order.
        func arrives(with name: String) -> Bool {
            if !History.decidedElsewhere.contains(name) { return !isOfOrder }
            guard action == .update, values.keys.allSatisfy(History.decidedElsewhere.contains)
            else { return false }
            // A pair is in the records of both its objects.
            return values[name] != nil
                || name != "partner" && (!isOfOrder || !History.elsewhere.contains(name))
        }

        /// The time since which no place shows a property's value.
        func death(of name: String) -> Int? {
            [death, faded[name]].compactMap { $0 }.min()
        }
    }
}
