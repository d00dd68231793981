import CoreData
import Testing

@testable import Seam3

@Suite("Unpacking of DEFLATE data") struct InflateTests {
    private static let sentence =
        "In the beginning there was a store, and the store was with SQLite. "
    private static let packed =
        "88xTKMlIVUhKTc/My8vMSwfxilIVyhOLFRIVikvyi1J1FBLzUsCKwFywVHlmSYZCcKBPZkmqnoLnqBHUNAIA"

    @Test("restores the packed text")
    func fixedCodes() throws {
        let data = try #require(Data(base64Encoded: Self.packed))
        let text = String(decoding: try Inflate.unpacked(data), as: UTF8.self)
        #expect(text == String(repeating: Self.sentence, count: 6))
    }

    @Test("accepts stored blocks")
    func storedBlock() throws {
        let data = try #require(Data(base64Encoded: "AQwA8/9zdG9yZWQgYnl0ZXM="))
        #expect(try Inflate.unpacked(data) == Data("stored bytes".utf8))
    }

    @Test("refuses data that ends early, whatever its length", arguments: 0..<61)
    func truncated(length: Int) throws {
        let data = try #require(Data(base64Encoded: Self.packed))
        #expect(throws: Inflate.Damage.self) { try Inflate.unpacked(data.prefix(length)) }
    }

    @Test("refuses to unpack more than its limit")
    func limit() throws {
        let data = try #require(Data(base64Encoded: Self.packed))
        #expect(throws: Inflate.Damage.self) { try Inflate.unpacked(data, limit: 100) }
    }
}
