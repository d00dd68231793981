import Foundation

/// Ports of the loopback address.
enum LoopbackPort {
    /// Thrown if there is no free port.
    struct NoneFree: Error {}

    /// A port that was free a moment ago.
    static func free() throws -> Int {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(handle) }
        var address = address(of: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, length) == 0 && getsockname(handle, $0, &length) == 0
            }
        }
        guard result else { throw NoneFree() }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// The address of a port; 0 is any free one.
    static func address(of port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        return address
    }
}
