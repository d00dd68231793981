/// Lets archives of Apple's framework be read, which name their classes without a module.
///
/// Called when the process starts, by the module CloudKitLoading.
@_cdecl("seam3_registerArchivedClasses")
public func _registerArchivedClasses() {
    let classes: [(AnyClass, String)] = [
        (CKRecord.self, "CKRecord"),
        (CKRecordID.self, "CKRecordID"),
        (CKRecordZone.self, "CKRecordZone"),
        (CKRecordZoneID.self, "CKRecordZoneID"),
        (CKReference.self, "CKReference"),
        (CKServerChangeToken.self, "CKServerChangeToken"),
    ]
    for (type, name) in classes { NSKeyedUnarchiver.setClass(type, forClassName: name) }
}
