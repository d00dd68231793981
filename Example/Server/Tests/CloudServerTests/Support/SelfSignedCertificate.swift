import Crypto
import Foundation

/// A certificate of the loopback address that nobody has signed but its owner, in files.
struct SelfSignedCertificate {
    /// The certificate as PEM.
    let certificate: URL
    /// Its private key as PEM.
    let privateKey: URL

    /// Makes a certificate that is good for an hour.
    init(in folder: URL) throws {
        let key = P256.Signing.PrivateKey()
        certificate = folder.appendingPathComponent("certificate.pem")
        privateKey = folder.appendingPathComponent("key.pem")
        let lines = Data(try Self.bytes(key)).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        try "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".write(
            to: certificate, atomically: true, encoding: .utf8)
        try key.pemRepresentation.write(to: privateKey, atomically: true, encoding: .utf8)
    }

    /// The certificate (RFC 5280) in the distinguished encoding rules.
    private static func bytes(_ key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let ecdsaWithSHA256 = sequence(element(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]))
        let commonName = sequence(
            element(0x06, [0x55, 4, 3]) + element(0x0c, Array("localhost".utf8)))
        let name = sequence(element(0x31, commonName))
        let signed = sequence(
            element(0xa0, element(0x02, [2])) + element(0x02, [1]) + ecdsaWithSHA256 + name
                + sequence(time(-60) + time(3600)) + name + Array(key.publicKey.derRepresentation)
                + element(0xa3, sequence(isAuthority + alternativeNames)))
        let signature = Array(try key.signature(for: signed).derRepresentation)
        return sequence(signed + ecdsaWithSHA256 + element(0x03, [0] + signature))
    }

    /// The extension that lets it be trusted as the root of a chain.
    private static let isAuthority = sequence(
        element(0x06, [0x55, 0x1d, 0x13]) + element(0x01, [0xff])
            + element(0x04, sequence(element(0x01, [0xff]))))

    /// The extension with the addresses.
    private static let alternativeNames = sequence(
        element(0x06, [0x55, 0x1d, 0x11])
            + element(
                0x04,
                sequence(
                    element(0x82, Array("localhost".utf8)) + element(0x87, [127, 0, 0, 1]))))

    private static func time(_ seconds: TimeInterval) -> [UInt8] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyMMddHHmmss'Z'"
        let text = formatter.string(from: Date(timeIntervalSinceNow: seconds))
        return element(0x17, Array(text.utf8))
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    /// An element with its tag and length.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case 0..<0x80: [UInt8(count)]
            case 0x80..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
            }
        return [tag] + length + content
    }
}
