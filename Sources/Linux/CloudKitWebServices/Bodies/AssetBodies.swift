/// The answer to the upload of an asset's bytes.
struct UploadedFile: Codable {
    var singleFile: AssetDictionary
}

/// The body of `assets/rereference`: fields whose assets are to be saved in other fields.
struct RereferenceAssetsRequest: Codable {
    var zoneID: ZoneIDDictionary?
    var assets: [Field]

    struct Field: Codable {
        var recordName: String
        var recordType: String?
        var fieldName: String
    }
}
