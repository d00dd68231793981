/// The response to the upload of an asset's bytes.
struct UploadedFile: Codable {
    var singleFile: AssetDictionary
}

/// The body of `assets/rereference`: the fields whose assets will be saved in other fields.
struct RereferenceAssetsRequest: Codable {
    var zoneID: ZoneIDDictionary?
    var assets: [Field]

    struct Field: Codable {
        var recordName: String
        var recordType: String?
        var fieldName: String
    }
}
