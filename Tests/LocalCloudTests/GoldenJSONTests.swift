import CloudKitService
import Foundation
import Testing

/// JSON from Apple's documentation of CloudKit Web Services, converted to Swift values and back.
@Suite("JSON of requests, responses and errors")
struct GoldenJSONTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let name: String
        let json: String
        let roundTrip: @Sendable (Data) throws -> Data

        init<T: Codable & SendableMetatype>(_ name: String, _ type: T.Type, _ json: String) {
            self.name = name
            self.json = json
            roundTrip = { try JSONEncoder().encode(JSONDecoder().decode(type, from: $0)) }
        }

        var testDescription: String { name }
    }

    private func canonical(_ data: Data) throws -> String {
        let object = try JSONSerialization.jsonObject(with: data)
        let sorted = try JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: sorted, as: UTF8.self)
    }

    @Test("Each survives a round trip", arguments: requests + responses + errors)
    func roundTrip(golden: Golden) throws {
        let data = Data(golden.json.utf8)
        #expect(try canonical(golden.roundTrip(data)) == canonical(data))
    }

    private static let requests: [Golden] = [
        Golden(
            "records/modify", ModifyRecordsRequest.self,
            """
            {"zoneID": {"zoneName": "Z", "ownerRecordName": "_o"}, "atomic": true,
             "desiredKeys": ["a"], "numbersAsStrings": true, "operations": [
              {"operationType": "create", "desiredKeys": [], "record": {"recordName": "r",
               "recordType": "T", "fields": {"a": {"value": 1, "type": "INT64"}},
               "parent": {"recordName": "p"}}},
              {"operationType": "update", "record": {"recordName": "r", "recordChangeTag": "1g",
               "fields": {"a": {"value": null}}}},
              {"operationType": "forceUpdate", "record": {"recordName": "r", "fields": {}}},
              {"operationType": "replace", "record": {"recordName": "r", "fields": {}}},
              {"operationType": "forceReplace", "record": {"recordName": "r", "fields": {}}},
              {"operationType": "delete", "record": {"recordName": "r", "recordChangeTag": "1g",
               "fields": {}}},
              {"operationType": "forceDelete", "record": {"recordName": "r", "fields": {}}}]}
            """),
        Golden(
            "records/lookup", LookUpRecordsRequest.self,
            """
            {"zoneID": {"zoneName": "Z"}, "desiredKeys": [], "numbersAsStrings": false,
             "records": [{"recordName": "r"}, {"recordName": "s", "desiredKeys": ["a"]}]}
            """),
        Golden(
            "records/query", QueryRecordsRequest.self,
            """
            {"zoneID": {"zoneName": "Z"}, "zoneWide": false, "resultsLimit": 10,
             "continuationMarker": "m", "desiredKeys": ["a"], "numbersAsStrings": true,
             "query": {"recordType": "T", "filterBy": [
               {"comparator": "NEAR", "fieldName": "place", "distance": 1000.5, "fieldValue":
                {"value": {"latitude": 1.5, "longitude": 2.5}, "type": "LOCATION"}},
               {"comparator": "EQUALS", "systemFieldName": "recordName", "fieldValue":
                {"value": {"recordName": "r"}, "type": "REFERENCE"}}],
              "sortBy": [{"fieldName": "place", "ascending": true,
               "relativeLocation": {"latitude": 1.5, "longitude": 2.5}}]}}
            """),
        Golden(
            "changes/zone", ZoneChangesRequest.self,
            """
            {"resultsLimit": 5, "desiredKeys": ["a"], "desiredRecordTypes": ["T"], "reverse": true,
             "numbersAsStrings": true, "zones": [{"zoneID": {"zoneName": "Z"}, "syncToken": "t",
              "resultsLimit": 3, "desiredKeys": [], "desiredRecordTypes": ["U"],
              "reverse": false}]}
            """),
        Golden(
            "changes/database", DatabaseChangesRequest.self,
            #"{"syncToken": "t", "resultsLimit": 5}"#),
        Golden("zones/lookup", LookUpZonesRequest.self, #"{"zones": [{"zoneName": "Z"}]}"#),
        Golden(
            "zones/modify", ModifyZonesRequest.self,
            """
            {"operations": [
              {"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}},
              {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Y"}}}]}
            """),
        Golden(
            "subscriptions/lookup", LookUpSubscriptionsRequest.self,
            #"{"subscriptions": [{"subscriptionID": "s"}]}"#),
        Golden(
            "subscriptions/modify", ModifySubscriptionsRequest.self,
            """
            {"operations": [
              {"operationType": "create", "subscription": {"subscriptionID": "q",
               "subscriptionType": "query", "zoneWide": true, "query": {"recordType": "T"},
               "firesOn": ["create", "update", "delete"], "firesOnce": true, "notificationInfo":
               {"alertBody": "b", "alertLocalizationKey": "k", "alertLocalizationArgs": ["a"],
                "alertActionLocalizationKey": "l", "alertLaunchImage": "i", "soundName": "s",
                "shouldBadge": true, "shouldSendContentAvailable": true,
                "additionalFields": ["f"], "category": "c"}}},
              {"operationType": "update", "subscription": {"subscriptionID": "z",
               "subscriptionType": "zone", "zoneID": {"zoneName": "Z"}}},
              {"operationType": "delete", "subscription": {"subscriptionID": "d"}}]}
            """),
        Golden(
            "assets/upload", AssetUploadsRequest.self,
            """
            {"zoneID": {"zoneName": "Z"},
             "tokens": [{"recordName": "r", "recordType": "T", "fieldName": "f"},
                        {"recordType": "T", "fieldName": "g"}]}
            """),
    ]

    private static let responses: [Golden] = [
        Golden(
            "records/modify, answered", ModifyRecordsResponse.self,
            """
            {"syncToken": "t", "records": [
              {"recordName": "r", "recordType": "T", "recordChangeTag": "1h",
               "zoneID": {"zoneName": "Z", "zoneType": "REGULAR_CUSTOM_ZONE"},
               "created": {"timestamp": 1700000000000, "userRecordName": "_u", "deviceID": "d"},
               "modified": {"timestamp": 1700000000001, "userRecordName": "_u", "deviceID": "d"},
               "share": {"recordName": "s"}, "fields": {
                "a": {"value": ["x", "y"], "type": "STRING_LIST"},
                "b": {"value": "AQI=", "type": "BYTES", "isEncrypted": true},
                "c": {"value": {"fileChecksum": "c", "size": 3, "receipt": "p",
                 "referenceChecksum": "r", "wrappingKey": "w", "downloadURL": "https://x/${f}"},
                 "type": "ASSETID"}}},
              {"recordName": "s", "deleted": true},
              {"recordName": "t", "serverErrorCode": "ATOMIC_ERROR", "reason": "x"}]}
            """),
        Golden(
            "records/lookup, answered", LookUpRecordsResponse.self,
            """
            {"records": [{"recordName": "r", "recordType": "T", "fields": {}},
             {"recordName": "s", "serverErrorCode": "NOT_FOUND", "reason": "Record not found"}]}
            """),
        Golden(
            "records/query, answered", QueryRecordsResponse.self,
            """
            {"records": [{"recordName": "r", "recordType": "T", "fields": {}}],
             "continuationMarker": "m"}
            """),
        Golden(
            "changes/zone, answered", ZoneChangesResponse.self,
            """
            {"zones": [
              {"zoneID": {"zoneName": "Z"}, "syncToken": "t", "moreComing": true, "records": [
               {"recordName": "r", "recordType": "T", "recordChangeTag": "2", "fields": {}},
               {"recordName": "s", "recordType": "T", "deleted": true}]},
              {"zoneID": {"zoneName": "Y"}, "serverErrorCode": "ZONE_NOT_FOUND"}]}
            """),
        Golden(
            "changes/database, answered", DatabaseChangesResponse.self,
            """
            {"zones": [{"zoneID": {"zoneName": "Z"}, "syncToken": "z", "atomic": true},
             {"zoneID": {"zoneName": "Y"}, "deleted": true}], "syncToken": "t",
             "moreComing": false}
            """),
        Golden(
            "zones/list, answered", ZonesResponse.self,
            """
            {"zones": [{"zoneID": {"zoneName": "_defaultZone", "zoneType": "DEFAULT_ZONE"},
              "atomic": false}, {"zoneID": {"zoneName": "Z"}, "serverErrorCode": "NOT_FOUND"}]}
            """),
        Golden(
            "subscriptions/list, answered", SubscriptionsResponse.self,
            """
            {"subscriptions": [{"subscriptionID": "s", "subscriptionType": "database"},
             {"subscriptionID": "t", "deleted": true},
             {"subscriptionID": "u", "serverErrorCode": "NOT_FOUND", "reason": "x"}]}
            """),
        Golden(
            "assets/upload, answered", AssetUploadsResponse.self,
            #"{"tokens": [{"recordName": "r", "fieldName": "f", "url": "https://x/y"}]}"#),
        Golden(
            "users/caller, answered", UserDictionary.self,
            """
            {"userRecordName": "_u", "firstName": "A", "lastName": "B", "emailAddress": "c@d"}
            """),
        Golden(
            "the web courier's push", PushPayload.self,
            """
            {"aps": {"alert": {"body": "b", "title": "t", "subtitle": "s", "loc-key": "k",
              "loc-args": ["1"], "title-loc-key": "tk", "title-loc-args": ["2"],
              "subtitle-loc-key": "sk", "subtitle-loc-args": ["3"], "action-loc-key": "a",
              "launch-image": "i"}, "badge": 1, "sound": "default", "category": "c",
              "mutable-content": 1},
             "ck": {"ce": 2, "cid": "iCloud.x", "ckuserid": "_u", "nid": "n", "p": 1,
              "fet": {"dbs": 1, "zid": "Z", "zoid": "_u", "sid": "s"}}}
            """),
    ]

    /// The documented codes.
    private static let codes: [(code: String, status: Int, ckErrorCode: Int)] = [
        ("ACCESS_DENIED", 403, 10), ("ATOMIC_ERROR", 400, 22), ("AUTHENTICATION_FAILED", 401, 9),
        ("AUTHENTICATION_REQUIRED", 421, 9), ("BAD_REQUEST", 400, 12), ("CONFLICT", 409, 14),
        ("EXISTS", 409, 14), ("INTERNAL_ERROR", 500, 15), ("NOT_FOUND", 404, 11),
        ("QUOTA_EXCEEDED", 413, 25), ("THROTTLED", 429, 7), ("TRY_AGAIN_LATER", 503, 6),
        ("VALIDATING_REFERENCE_ERROR", 412, 31), ("ZONE_NOT_FOUND", 404, 26),
    ]

    private static let errors: [Golden] = codes.flatMap { code, _, _ in
        [
            Golden(
                "\(code) of a request", CloudKitServiceError.self,
                """
                {"serverErrorCode": "\(code)", "reason": "x", "retryAfter": 2.5, "uuid": "u",
                 "redirectURL": "https://x"}
                """),
            Golden(
                "\(code) of an item", ErrorDictionary.self,
                """
                {"recordName": "r", "zoneID": {"zoneName": "Z"}, "subscriptionID": "s",
                 "serverErrorCode": "\(code)", "reason": "x", "retryAfter": 3, "uuid": "u"}
                """),
        ]
    }

    @Test("A documented code has its HTTP status and its CKError", arguments: codes.indices)
    func status(index: Int) {
        let (text, status, ckErrorCode) = Self.codes[index]
        let code = ServerErrorCode(rawValue: text)
        #expect(code.httpStatus == status)
        #expect(code.ckErrorCode == ckErrorCode)
    }

    @Test("With numbersAsStrings the numbers of fields are strings, and are read as numbers")
    func numbersAsStrings() throws {
        let fields: [String: RecordFieldDictionary] = [
            "i": .init(.int64(.max)), "d": .init(.double(1.5)), "t": .init(.timestamp(7)),
            "l": .init(.list([.int64(1), .int64(2)])),
        ]
        let encoder = JSONEncoder()
        encoder.userInfo[.numbersAsStrings] = true
        let data = try encoder.encode(fields)
        #expect(
            try canonical(data)
                == canonical(
                    Data(
                        """
                        {"i": {"value": "9223372036854775807", "type": "INT64"},
                         "d": {"value": "1.5", "type": "DOUBLE"},
                         "t": {"value": "7", "type": "TIMESTAMP"},
                         "l": {"value": ["1", "2"], "type": "INT64_LIST"}}
                        """.utf8)))
        let read = try JSONDecoder().decode([String: RecordFieldDictionary].self, from: data)
        #expect(read == fields)
    }

    @Test("The caller may be the only element of an array")
    func callerInArray() throws {
        let user = try JSONDecoder().decode(
            UserDictionary.self, from: Data(#"[{"userRecordName": "_u"}]"#.utf8))
        #expect(user == UserDictionary(userRecordName: "_u"))
    }

    @Test(
        "Anything but a request is a decoding error",
        arguments: [
            "", "[]", "null", "7", #"{"operations": 3}"#, #"{"operations": [{}]}"#,
            #"{"operations": [{"operationType": "explode", "record": {"recordName": "r"}}]}"#,
            #"{"operations": [{"operationType": "create", "record": {"fields": {"a": 1}}}]}"#,
            """
            {"operations": [{"operationType": "create", "record":
             {"fields": {"a": {"value": "x", "type": "INT64"}}}}]}
            """,
            """
            {"operations": [{"operationType": "create", "record":
             {"fields": {"a": {"value": 1, "type": "NONSENSE"}}}}]}
            """,
        ])
    func notARequest(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ModifyRecordsRequest.self, from: Data(json.utf8))
        }
    }
}
