import Testing

@testable import CoreData

/// This package's algorithm for version hashes, which differs from Apple's.
@Suite struct StableHashTests {
    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func sha256(text: String, expected: String) {
        var hash = SHA256()
        hash.update(text.utf8)
        let digest = hash.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digest == expected)
    }

    @Test("Hashes are the same in every process and release")
    func stability() throws {
        let staff = makeStaffModel()
        #expect(
            staff.entitiesByName["Employee"]?.versionHash.base64EncodedString()
                == "VuGtMIOKTOYXDt5S/Pb4mA12cZ9xEa6ojOr/h2Hin74=")
        #expect(staff.versionChecksum == "FqMp3kusf8jBlwjKuYIFKSNy4sID+BvhdfxPKgPkhCI=")
    }
}
