/// Requests that the server has carried out although their device has got no response.
extension Fleet {
    /// Records which edits may have been sent without a response.
    func noteLostAnswers(_ app: App, _ counts: Wire.Counts) {
        let isDisturbed = app.isKilled || wasInterrupted(app)
        // The wire does not see what happens to its responses in a network.
        if counts.hadLostAnswer || isDisturbed || setting.network != nil && counts.hadFault {
            history.noteLostAnswers(to: app.place)
            history.sendAgain(lostBy: app.place) { setting.stampless.contains($0) }
        }
    }
}
