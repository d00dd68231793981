import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A client that asks over TLS, and trusts whom a test says.
enum TLSClient {
    /// Fetches a page.
    ///
    /// - Throws: An error if the server and the client do not come to terms.
    static func get(
        _ path: String, port: Int, _ configuration: TLSConfiguration
    ) async throws -> RawReply {
        let context = try NIOSSLContext(configuration: configuration)
        let group = MultiThreadedEventLoopGroup.singleton
        let answer = group.next().makePromise(of: Data.self)
        let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let handlers = channel.pipeline.syncOperations
                try handlers.addHandler(
                    NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                try handlers.addHandler(AnswerCollector(answer))
            }
        }
        do {
            let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
            let request =
                "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: request))
        } catch {
            answer.fail(error)
        }
        return try RawConnection.reply(try await answer.futureResult.get())
    }

    /// Collects the bytes up to the end of a connection.
    private final class AnswerCollector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let answer: EventLoopPromise<Data>
        private var bytes = Data()

        init(_ answer: EventLoopPromise<Data>) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            answer.fail(error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { answer.succeed(bytes) }
    }
}
