import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import ServiceLifecycle

extension CloudServer {
    /// Where the server listens.
    public struct Listener: Sendable {
        /// The address.
        public var host: String
        /// The port.
        public var port: Int
        /// The files of the certificates and the private key, both as PEM; nil for no TLS.
        public var certificates: (chain: URL, privateKey: URL)?

        /// Creates a listener.
        public init(
            host: String = "127.0.0.1", port: Int = 8080,
            certificates: (chain: URL, privateKey: URL)? = nil
        ) {
            self.host = host
            self.port = port
            self.certificates = certificates
        }
    }

    /// The server as a service, which ends when the process is told to.
    ///
    /// - Parameters:
    ///   - listener: Where the server listens.
    ///   - endsWithSignals: Whether SIGINT and SIGTERM end the server.
    ///   - isRunning: Is called when requests can come.
    /// - Throws: An error if the certificates or the pages cannot be read.
    public func serviceGroup(
        _ listener: Listener, endsWithSignals: Bool = true,
        isRunning: @escaping @Sendable () async -> Void = {}
    ) throws -> ServiceGroup {
        let (library, entrance) = (try PageLibrary(), OpenEntrance(settings, options))
        let application = Application(
            responder: ServerResponder(
                services: WebServiceResponder(
                    router: router, entrance: entrance, options: options),
                pages: pages(library).buildResponder(), entrance: entrance, library: library,
                options: options),
            server: try builder(listener),
            configuration: .init(
                address: .hostname(listener.host, port: listener.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    options.maximumConnections)),
            onServerRunning: { _ in await isRunning() }, logger: options.logger)
        var configuration = ServiceGroupConfiguration(
            services: [application],
            gracefulShutdownSignals: endsWithSignals ? [.sigterm, .sigint] : [],
            logger: options.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(options.shutdownTime)
        return ServiceGroup(configuration: configuration)
    }

    private func builder(_ listener: Listener) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                idleTimeout: .milliseconds(Int64(options.headerTime * 1000)),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768,
                    maxHeaderFieldCount: 100)))
        guard let files = listener.certificates else { return plain }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(files.chain.path)
                .map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(file: files.privateKey.path, format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        return try .tls(plain, tlsConfiguration: configuration)
    }

    /// The pages that people see.
    private func pages(_ library: PageLibrary) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.addMiddleware { PageGuard(baseURL: options.baseURL, library: library) }
        let access = ConsoleAccess(settings: settings, options: options)
        SignIn(server: self, library: library, access: access).addRoutes(to: router)
        Console(server: self, library: library, access: access).addRoutes(to: router)
        return router
    }
}
