import CloudKitService
import Foundation

/// A CloudKit server in the process, on SQLite.
///
/// A cloud in a directory is persistent and can be used by any number of processes at a time; a
/// cloud in memory belongs to its instance. Containers are created on first use. Containers with
/// different identifiers, and the two environments of one container, share nothing.
///
/// The instance is the server: its ``faults`` and ``pushDelivery`` apply to the requests that go
/// through it and not to those of other processes.
public final class LocalCloud: CloudKitService, Sendable {
    /// The limits, the clock, and the choices for undocumented behavior.
    public let options: LocalCloudOptions
    /// The directory of the data; nil for a cloud in memory.
    public let directory: URL?
    /// Makes requests fail, wait or call back.
    public let faults: FaultPlan
    /// Holds back, merges or drops pushes.
    public let pushDelivery: PushDeliveryControl

    let accounts: AccountStore
    let signal: ChangeSignal
    let stores: ContainerStores
    let assets: AssetFiles
    let registrations: PushRegistrations
    /// The devices for which a test has set the account.
    let configuredDevices = ConfiguredNames()
    let configuredContainers = ConfiguredNames()

    /// Creates a cloud in a directory, which is created on first use.
    ///
    /// - Parameters:
    ///   - directory: A directory on a local file system. Nothing else may write to it.
    ///   - options: The limits, the clock, and the choices for undocumented behavior.
    public convenience init(directory: URL, options: LocalCloudOptions = LocalCloudOptions()) {
        self.init(directory: directory.standardizedFileURL, orInMemory: options)
    }

    /// Creates a cloud that no other instance sees and that ends with the instance.
    ///
    /// - Parameter options: The limits, the clock, and the choices for undocumented behavior.
    public static func inMemory(options: LocalCloudOptions = LocalCloudOptions()) -> LocalCloud {
        LocalCloud(directory: nil, orInMemory: options)
    }

    private init(directory: URL?, orInMemory options: LocalCloudOptions) {
        self.directory = directory
        self.options = options
        faults = FaultPlan()
        pushDelivery = PushDeliveryControl(faults: faults)
        let signal = ChangeSignal(directory: directory)
        let stores = ContainerStores(directory: directory)
        let accounts = AccountStore(directory: directory)
        self.signal = signal
        self.stores = stores
        self.accounts = accounts
        assets = AssetFiles(directory: directory)
        registrations = PushRegistrations(
            stores: stores, accounts: accounts, signal: signal, control: pushDelivery)
    }

    /// The cloud that containers use unless configured otherwise.
    ///
    /// It is the directory `seam/cloud` in the user's data directory (`XDG_DATA_HOME`, else
    /// `~/.local/share`). The environment variable `SEAM_LOCAL_CLOUD` names another directory, or
    /// is `memory` for a cloud in memory.
    ///
    /// In a process that runs tests, it is a cloud in memory unless the variable specifies another
    /// one, so that tests do not find the data of earlier ones.
    public static let `default`: LocalCloud = {
        let environment = ProcessInfo.processInfo.environment
        switch environment["SEAM_LOCAL_CLOUD"] {
        case "memory":
            return .inMemory()
        case .some(let path) where !path.isEmpty:
            return LocalCloud(directory: URL(fileURLWithPath: path, isDirectory: true))
        default:
            if runsTests {
                log(
                    "This process runs tests, so its containers use a cloud in memory. Give each test a"
                        + " cloud of its own, or set SEAM_LOCAL_CLOUD to a directory.")
                return .inMemory()
            }
            let data =
                environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? NSHomeDirectory() + "/.local/share"
            return LocalCloud(
                directory: URL(fileURLWithPath: data, isDirectory: true)
                    .appendingPathComponent("seam/cloud", isDirectory: true))
        }
    }()

    /// Whether the process was started to run tests, by SwiftPM or by Xcode.
    private static var runsTests: Bool {
        let process = ProcessInfo.processInfo
        let program = URL(fileURLWithPath: process.arguments.first ?? "").lastPathComponent
        return program.hasSuffix(".xctest") || program == "swiftpm-testing-helper"
            || process.environment["XCTestConfigurationFilePath"] != nil
    }

    private static func log(_ message: String) {
        FileHandle.standardError.write(Data("LocalCloud: \(message)\n".utf8))
    }
}
