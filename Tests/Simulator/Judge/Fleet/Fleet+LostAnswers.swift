/// Requests that the server has carried out although their device has got no response.
extension Fleet {
    /// Records which edits may have been sent without a response, and which of them the zone's log of requests
    /// may lack, because another device's request was under way. What their own device sends later does not
    /// matter, because it reads the log before.
    func noteLostAnswers(_ app: App, _ counts: Wire.Counts) {
        let isDisturbed = app.isKilled || wasInterrupted(app)
        // The wire does not see what happens to its responses in a network.
        if counts.hadLostAnswer || isDisturbed || setting.network != nil && counts.hadFault {
            history.noteLostAnswers(to: app.number)
        }
        if passing.count > 1 { history.mark(\.isOutOfLog, sentBy: app.number) }
        if counts.hadLateArrival { forgetLog() }
    }

    /// Records that the zone's log may lack requests of any device.
    func forgetLog() {
        for app in apps { history.mark(\.isOutOfLog, sentBy: app.number) }
    }
}
