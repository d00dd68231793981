import Testing

/// The rules of the manual's article "What must never happen" that these tests guard.
extension Tag {
    @Tag static var acknowledgedOnly: Self
    @Tag static var oneTransaction: Self
    @Tag static var editsDuringAPass: Self
    @Tag static var lastIntentCounts: Self
    @Tag static var neverSeenMeansNeverSent: Self
    @Tag static var sentIsTheAncestor: Self
    @Tag static var everyErrorHasAReaction: Self
    @Tag static var noFalseSuccess: Self
    @Tag static var everyLoopEnds: Self
    @Tag static var oneFailureStaysAlone: Self
    @Tag static var requestsShrink: Self
    @Tag static var handlersOnce: Self
    @Tag static var noCrashFromOutside: Self
    @Tag static var threeWayConflicts: Self
    @Tag static var convergenceWithoutLuck: Self
    @Tag static var nilIsAValue: Self
    @Tag static var everyAttributeRoundTrips: Self
    @Tag static var everyRelationshipRoundTrips: Self
    @Tag static var anyValueOrAnError: Self
    @Tag static var lateReferencesComplete: Self
    @Tag static var serverNeverCascades: Self
    @Tag static var fullFetchSweeps: Self
    @Tag static var usersStayApart: Self
    @Tag static var lossIsADecision: Self
    @Tag static var stateIsPerStore: Self
    @Tag static var twoProcesses: Self
    @Tag static var migrationIsWhole: Self
    @Tag static var snapshotHoldsEverything: Self
    @Tag static var identityFollowsRenames: Self
    @Tag static var existingDataIsAdopted: Self
    @Tag static var nothingLeftOutSilently: Self
    @Tag static var boundedGrowth: Self
    @Tag static var contextsFollow: Self
    @Tag static var vanishedRowIsAnError: Self
    @Tag static var requestsAreNotChanged: Self
    @Tag static var objectsInPredicates: Self
    @Tag static var allResultTypes: Self
    @Tag static var batchRequestsSync: Self
    @Tag static var unknownRequestsThrow: Self
    @Tag static var honestVersions: Self
    @Tag static var hostileNames: Self
    @Tag static var predicatesMeanTheSame: Self
    @Tag static var metadataAtAnyTime: Self
}
