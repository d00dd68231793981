import FoundationGaps

extension CKRecord {
    /// Encodes the record's type, ID, tag, dates, users, parent and share, and no values.
    ///
    /// To the server, a record that is decoded from them is the same version of the same record.
    /// Use them to remember what has been synced, with a plain keyed archiver:
    ///
    ///     let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    ///     record.encodeSystemFields(with: archiver)
    ///     archiver.finishEncoding()
    ///     let data = archiver.encodedData
    public func encodeSystemFields(with coder: NSCoder) {
        withState { $0 }.encodeSystemFields(with: coder)
    }

    /// Encodes the system fields, all values and the changed keys, for a keyed archive.
    public func encode(with coder: NSCoder) {
        let state = withState { $0 }
        state.encodeSystemFields(with: coder)
        state.encodeFields(with: coder)
    }
}

extension CKRecord.State {
    /// The archive keys of a record's parts.
    private enum Key {
        static let recordType = "RecordType"
        static let recordName = "RecordName"
        static let zoneName = "ZoneName"
        static let ownerName = "ZoneOwnerName"
        static let recordChangeTag = "ETag"
        static let creationDate = "RecordCtime"
        static let modificationDate = "RecordMtime"
        static let creator = "CreatorUserRecordID"
        static let lastModifier = "LastModifiedUserRecordID"
        static let parent = "ParentReference"
        static let isParentChanged = "ParentReferenceChanged"
        static let share = "ShareReference"
        static let fields = "Fields"
    }

    /// The IDs are encoded as strings instead of objects: an app stores one such archive per
    /// record, and a keyed archive of objects is several times as large and as slow.
    func encodeSystemFields(with coder: NSCoder) {
        coder.encode(recordType, forKey: Key.recordType)
        coder.encode(recordID.recordName, forKey: Key.recordName)
        coder.encode(recordID.zoneID.zoneName, forKey: Key.zoneName)
        coder.encode(recordID.zoneID.ownerName, forKey: Key.ownerName)
        coder.encode(recordChangeTag, forKey: Key.recordChangeTag)
        coder.encode(creationDate, forKey: Key.creationDate)
        coder.encode(modificationDate, forKey: Key.modificationDate)
        coder.encode(creatorUserRecordID?.recordName, forKey: Key.creator)
        coder.encode(lastModifiedUserRecordID?.recordName, forKey: Key.lastModifier)
        coder.encode(parent?.recordID.recordName, forKey: Key.parent)
        coder.encode(share?.recordID.recordName, forKey: Key.share)
    }

    func encodeFields(with coder: NSCoder) {
        if isParentChanged { coder.encode(true, forKey: Key.isParentChanged) }
        do {
            let archive = ArchivedFields(plain: plain, encrypted: encrypted)
            let data = try PropertyListEncoder().encode(archive)
            coder.encode(NSData(data: data), forKey: Key.fields)
        } catch {
            coder.failWithError(error)
        }
    }

    init?(coder: NSCoder) {
        if coder.containsValue(forKey: AppleKey.recordID) {
            self.init(appleCoder: coder)
            return
        }
        guard let recordType = coder.decodeString(forKey: Key.recordType), !recordType.isEmpty,
            let recordName = coder.decodeString(forKey: Key.recordName), !recordName.isEmpty,
            let zoneName = coder.decodeString(forKey: Key.zoneName), !zoneName.isEmpty,
            let ownerName = coder.decodeString(forKey: Key.ownerName)
        else { return nil }
        let zoneID = CKRecordZone.ID(received: zoneName, ownerName: ownerName)
        func recordID(forKey key: String, in zoneID: CKRecordZone.ID) -> CKRecord.ID? {
            guard let name = coder.decodeString(forKey: key), !name.isEmpty else { return nil }
            return CKRecord.ID(received: name, zoneID: zoneID)
        }
        func reference(forKey key: String) -> CKRecord.Reference? {
            recordID(forKey: key, in: zoneID).map {
                CKRecord.Reference(recordID: $0, action: .none)
            }
        }
        self.init(
            recordType: recordType,
            recordID: CKRecord.ID(received: recordName, zoneID: zoneID))
        recordChangeTag = coder.decodeString(forKey: Key.recordChangeTag)
        creationDate = coder.decodeDate(forKey: Key.creationDate)
        modificationDate = coder.decodeDate(forKey: Key.modificationDate)
        creatorUserRecordID = recordID(forKey: Key.creator, in: .default)
        lastModifiedUserRecordID = recordID(forKey: Key.lastModifier, in: .default)
        parent = reference(forKey: Key.parent)
        isParentChanged = coder.decodeBool(forKey: Key.isParentChanged)
        share = reference(forKey: Key.share)
        guard let data = coder.decode(NSData.self, forKey: Key.fields) else { return }
        guard BinaryPropertyListReader.isModest(Data(referencing: data)),
            let archive = try? PropertyListDecoder().decode(
                ArchivedFields.self, from: Data(referencing: data))
        else { return nil }
        plain = archive.plain.fields
        encrypted = archive.encrypted.fields
    }
}

// MARK: - Archives of Apple's framework

extension CKRecord.State {
    /// The keys of an archive that Apple's framework wrote, as far as they differ.
    private enum AppleKey {
        static let recordID = "RecordID"
    }

    /// Decodes the system fields that Apple's framework has archived, where IDs and dates are objects. It
    /// archives the values of fields in a form that is not known.
    private init?(appleCoder coder: NSCoder) {
        guard let recordType = coder.decodeString(forKey: Key.recordType), !recordType.isEmpty,
            let recordID = coder.decode(CKRecordID.self, forKey: AppleKey.recordID)
        else { return nil }
        self.init(recordType: recordType, recordID: recordID)
        recordChangeTag = coder.decodeString(forKey: Key.recordChangeTag)
        creationDate = coder.decode(NSDate.self, forKey: Key.creationDate) as Date?
        modificationDate = coder.decode(NSDate.self, forKey: Key.modificationDate) as Date?
        creatorUserRecordID = coder.decode(CKRecordID.self, forKey: Key.creator)
        lastModifiedUserRecordID = coder.decode(CKRecordID.self, forKey: Key.lastModifier)
        parent = coder.decode(CKReference.self, forKey: Key.parent)
        share = coder.decode(CKReference.self, forKey: Key.share)
    }
}
