// error: cannot convert value of type 'String' to expected argument type 'URL'
import CloudKit

let asset = CKAsset(fileURL: "photo.jpg")
