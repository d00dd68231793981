import CloudKitService
import Foundation
import Testing

@Suite("The JSON of CloudKit Web Services")
struct WireFormatTests {
    /// Checks that a value encodes to a JSON text, and that the text decodes to the value.
    private func check<T: Codable & Equatable>(_ value: T, _ json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let expected = try JSONSerialization.data(
            withJSONObject: JSONSerialization.jsonObject(with: Data(json.utf8)),
            options: [.sortedKeys, .withoutEscapingSlashes])
        let encoded = try encoder.encode(value)
        #expect(
            String(decoding: encoded, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
        #expect(try JSONDecoder().decode(T.self, from: Data(json.utf8)) == value)
    }

    @Test("records/modify")
    func modify() throws {
        let record = RecordDictionary(
            recordName: "r", recordType: "Clock", recordChangeTag: "1g",
            fields: [
                "label": RecordFieldDictionary(.string("Paris")),
                "note": RecordFieldDictionary(nil),
                "secret": RecordFieldDictionary(.string("x"), isEncrypted: true),
            ])
        try check(
            ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: "Z"), atomic: true,
                operations: [
                    RecordOperation(.update, record),
                    RecordOperation(
                        .forceDelete, RecordDictionary(recordName: "old", deleted: true)),
                ], desiredKeys: ["label"]),
            """
            {"zoneID": {"zoneName": "Z"}, "atomic": true, "desiredKeys": ["label"],
             "operations": [
               {"operationType": "update", "record": {
                 "recordName": "r", "recordType": "Clock", "recordChangeTag": "1g", "fields": {
                   "label": {"value": "Paris", "type": "STRING"},
                   "note": {"value": null},
                   "secret": {"value": "x", "type": "STRING", "isEncrypted": true}}}},
               {"operationType": "forceDelete",
                "record": {"recordName": "old", "deleted": true}}]}
            """)
    }

    @Test("The response of records/modify with a record, a deletion and an error")
    func modifyResponse() throws {
        let zoneID = ZoneIDDictionary(
            zoneName: "Z", ownerRecordName: "_abc", zoneType: "REGULAR_CUSTOM_ZONE")
        try check(
            ModifyRecordsResponse(
                records: [
                    .success(
                        RecordDictionary(
                            recordName: "r", recordType: "T", recordChangeTag: "a",
                            zoneID: zoneID,
                            created: .init(
                                timestamp: 1_700_000_000_123, userRecordName: "_abc",
                                deviceID: "2"))),
                    .success(RecordDictionary(recordName: "gone", deleted: true)),
                    .failure(
                        ErrorDictionary(
                            recordName: "x", serverErrorCode: .conflict, reason: "oplock",
                            retryAfter: 30, uuid: "u")),
                ], syncToken: "AQ=="),
            """
            {"syncToken": "AQ==", "records": [
              {"recordName": "r", "recordType": "T", "recordChangeTag": "a", "fields": {},
               "zoneID": {"zoneName": "Z", "ownerRecordName": "_abc",
                          "zoneType": "REGULAR_CUSTOM_ZONE"},
               "created": {"timestamp": 1700000000123, "userRecordName": "_abc",
                           "deviceID": "2"}},
              {"recordName": "gone", "deleted": true},
              {"recordName": "x", "serverErrorCode": "CONFLICT", "reason": "oplock",
               "retryAfter": 30, "uuid": "u"}]}
            """)
    }

    @Test(
        "Values of every type",
        arguments: [
            (FieldValue.string("x"), #"{"value": "x", "type": "STRING"}"#),
            (.int64(.max), #"{"value": 9223372036854775807, "type": "INT64"}"#),
            (.double(1.5), #"{"value": 1.5, "type": "DOUBLE"}"#),
            (.double(2), #"{"value": 2, "type": "DOUBLE"}"#),
            (.bytes(Data([1, 2])), #"{"value": "AQI=", "type": "BYTES"}"#),
            (.timestamp(-1), #"{"value": -1, "type": "TIMESTAMP"}"#),
            (
                .location(LocationDictionary(latitude: 1, longitude: 2, altitude: 3)),
                #"{"value": {"latitude": 1, "longitude": 2, "altitude": 3}, "type": "LOCATION"}"#
            ),
            (
                .reference(
                    ReferenceDictionary(
                        recordName: "r", zoneID: ZoneIDDictionary(zoneName: "Z"),
                        action: .deleteSelf)),
                #"{"value": {"recordName": "r", "zoneID": {"zoneName": "Z"}, "action": "DELETE_SELF"}, "type": "REFERENCE"}"#
            ),
            (
                .asset(
                    AssetDictionary(
                        fileChecksum: "c", size: 5, receipt: "p", downloadURL: "https://x/${f}")),
                #"{"value": {"fileChecksum": "c", "size": 5, "receipt": "p", "downloadURL": "https://x/${f}"}, "type": "ASSETID"}"#
            ),
            (.list([.string("a")]), #"{"value": ["a"], "type": "STRING_LIST"}"#),
            (.list([.int64(1), .int64(2)]), #"{"value": [1, 2], "type": "INT64_LIST"}"#),
            (.list([]), #"{"value": [], "type": "UNKNOWN_LIST"}"#),
        ])
    func values(value: FieldValue, json: String) throws {
        try check(RecordFieldDictionary(value), json)
    }

    @Test(
        "A value without a type is understood by its form",
        arguments: [
            (#"{"value": "x"}"#, FieldValue.string("x")), (#"{"value": 3}"#, .int64(3)),
            (#"{"value": 3.5}"#, .double(3.5)),
            (#"{"value": ["a", "b"]}"#, .list([.string("a"), .string("b")])),
            (
                #"{"value": {"recordName": "r", "action": "NONE"}}"#,
                .reference(
                    ReferenceDictionary(recordName: "r", action: ReferenceDictionary.Action.none))
            ),
            (
                #"{"value": {"latitude": 1, "longitude": 2}}"#,
                .location(LocationDictionary(latitude: 1, longitude: 2))
            ),
            (#"{"value": "7", "type": "INT64"}"#, .int64(7)),
            (#"{"value": [], "type": "EMPTY_LIST"}"#, .list([])),
        ])
    func untyped(json: String, value: FieldValue) throws {
        let field = try JSONDecoder().decode(RecordFieldDictionary.self, from: Data(json.utf8))
        #expect(field.value == value)
    }

    @Test("changes/zone and changes/database")
    func changes() throws {
        let zoneID = ZoneIDDictionary(zoneName: "Z")
        try check(
            ZoneChangesRequest(
                zones: [.init(zoneID: zoneID, syncToken: "t", desiredKeys: [])], resultsLimit: 10),
            """
            {"resultsLimit": 10,
             "zones": [{"zoneID": {"zoneName": "Z"}, "syncToken": "t", "desiredKeys": []}]}
            """)
        try check(
            ZoneChangesResponse(zones: [
                .success(
                    .init(
                        zoneID: zoneID,
                        records: [
                            RecordDictionary(recordName: "r", recordType: "T", deleted: true)
                        ], syncToken: "u", moreComing: false)),
                .failure(ErrorDictionary(zoneID: zoneID, serverErrorCode: .zoneNotFound)),
            ]),
            """
            {"zones": [
              {"zoneID": {"zoneName": "Z"}, "syncToken": "u", "moreComing": false,
               "records": [{"recordName": "r", "recordType": "T", "deleted": true}]},
              {"zoneID": {"zoneName": "Z"}, "serverErrorCode": "ZONE_NOT_FOUND"}]}
            """)
        try check(DatabaseChangesRequest(syncToken: "t"), #"{"syncToken": "t"}"#)
        try check(
            DatabaseChangesResponse(
                zones: [ZoneDictionary(zoneID: zoneID, deleted: true)], syncToken: "u",
                moreComing: true),
            """
            {"zones": [{"zoneID": {"zoneName": "Z"}, "deleted": true}], "syncToken": "u",
             "moreComing": true}
            """)
    }

    @Test("records/lookup and records/query")
    func lookUpAndQuery() throws {
        try check(
            LookUpRecordsRequest(records: [.init("r", desiredKeys: ["f"])]),
            #"{"records": [{"recordName": "r", "desiredKeys": ["f"]}]}"#)
        try check(
            QueryRecordsRequest(
                zoneWide: true,
                query: QueryDictionary(
                    recordType: "T",
                    filterBy: [
                        FilterDictionary(
                            comparator: .lessThanOrEquals, fieldName: "n",
                            fieldValue: RecordFieldDictionary(.int64(3)))
                    ],
                    sortBy: [SortDictionary(systemFieldName: "createdTimestamp", ascending: false)]
                ), continuationMarker: "m"),
            """
            {"zoneWide": true, "continuationMarker": "m", "query": {"recordType": "T",
             "filterBy": [{"comparator": "LESS_THAN_OR_EQUALS", "fieldName": "n",
                           "fieldValue": {"value": 3, "type": "INT64"}}],
             "sortBy": [{"systemFieldName": "createdTimestamp", "ascending": false}]}}
            """)
    }

    @Test("zones/modify and subscriptions/modify")
    func zonesAndSubscriptions() throws {
        try check(
            ModifyZonesRequest(operations: [
                ZoneOperation(.create, ZoneIDDictionary(zoneName: "Z"))
            ]),
            """
            {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}
            """)
        var info = NotificationInfoDictionary()
        info.shouldSendContentAvailable = true
        try check(
            ModifySubscriptionsRequest(operations: [
                SubscriptionOperation(
                    .create,
                    SubscriptionDictionary(
                        subscriptionID: "s", subscriptionType: .zone,
                        zoneID: ZoneIDDictionary(zoneName: "Z"), firesOn: [.create],
                        notificationInfo: info))
            ]),
            """
            {"operations": [{"operationType": "create", "subscription": {
              "subscriptionID": "s", "subscriptionType": "zone", "zoneID": {"zoneName": "Z"},
              "firesOn": ["create"], "notificationInfo": {"shouldSendContentAvailable": true}}}]}
            """)
    }

    @Test("assets/upload, users/caller and the error of a request")
    func others() throws {
        try check(
            AssetUploadsRequest(tokens: [
                .init(recordName: "r", recordType: "T", fieldName: "f")
            ]),
            #"{"tokens": [{"recordName": "r", "recordType": "T", "fieldName": "f"}]}"#)
        try check(
            UserDictionary(userRecordName: "_abc", firstName: "A"),
            #"{"userRecordName": "_abc", "firstName": "A"}"#)
        try check(
            CloudKitServiceError(
                .authenticationRequired, reason: "sign in", uuid: "u", redirectURL: "https://x"),
            """
            {"serverErrorCode": "AUTHENTICATION_REQUIRED", "reason": "sign in", "uuid": "u",
             "redirectURL": "https://x"}
            """)
    }

    @Test("A push")
    func push() throws {
        try check(
            PushPayload(
                aps: .init(contentAvailable: 1),
                ck: .init(
                    cid: "iCloud.x", ckuserid: "_abc", nid: "n",
                    qry: .init(
                        dbs: 1, zid: "Z", zoid: "_abc", rid: "r", fo: 1, sid: "s",
                        af: ["f": .string("x"), "n": .integer(3), "d": .double(1.5)]))),
            """
            {"aps": {"content-available": 1},
             "ck": {"ce": 2, "cid": "iCloud.x", "ckuserid": "_abc", "nid": "n",
                    "qry": {"dbs": 1, "zid": "Z", "zoid": "_abc", "rid": "r", "fo": 1, "sid": "s",
                            "af": {"f": "x", "n": 3, "d": 1.5}}}}
            """)
    }

    @Test("An unknown code of the server is kept and becomes serverRejectedRequest")
    func unknownCode() throws {
        let error = try JSONDecoder().decode(
            CloudKitServiceError.self, from: Data(#"{"serverErrorCode": "SOMETHING_NEW"}"#.utf8))
        #expect(error.code.rawValue == "SOMETHING_NEW")
        #expect(error.code.ckErrorCode == 15)
    }
}
