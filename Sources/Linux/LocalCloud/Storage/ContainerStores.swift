import CloudKitService
import Foundation

/// The stores of a cloud by container and environment.
final class ContainerStores: @unchecked Sendable {
    // Unchecked because `stores` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var stores: [String: ContainerStore] = [:]
    private let directory: URL?

    init(directory: URL?) { self.directory = directory }

    /// The store for a context. Its file is not opened before it is used.
    func store(
        container: String, environment: RequestContext.Environment
    ) -> ContainerStore {
        let key = Self.fileName(of: container) + "/" + environment.rawValue
        return lock.locked {
            if let store = stores[key] { return store }
            let store = ContainerStore(
                key: key,
                directory: directory?.appendingPathComponent(key, isDirectory: true))
            stores[key] = store
            return store
        }
    }

    /// A file name that is unique for each identifier and is never a path, whatever the identifier
    /// is.
    static func fileName(of container: String) -> String {
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
        let name = container.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return name.hasPrefix(".") || name.isEmpty ? "%2E" + name.dropFirst() : name
    }
}
