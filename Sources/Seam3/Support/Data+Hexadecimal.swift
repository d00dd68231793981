import CoreData

extension Data {
    /// The bytes as two lowercase digits each.
    var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
