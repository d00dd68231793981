import Foundation
import FoundationNetworking

/// The web courier.
extension CloudKitWebService {
    /// The pushes for the calling device, if the server supports pushes over HTTP.
    ///
    /// The server names a URL that responds with one push at a time, as soon as there is one. This
    /// method keeps requesting it until the iteration ends. If the server names no such URL, there
    /// are no pushes: the stream ends at once, and changes are found by fetching. Apple's servers
    /// and those of this package do name one, and keep pushes that no request is waiting for, for
    /// some hours.
    public func pushes(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<PushPayload> {
        let environment = context.environment.rawValue
        let place: CreateTokenResponse
        do throws(CloudKitServiceError) {
            place = try await post(
                .createToken, CreateTokenRequest(apnsEnvironment: environment), in: context)
            let registration = RegisterTokenRequest(
                apnsEnvironment: environment, apnsToken: place.apnsToken)
            _ = try await send(.registerToken, try body(registration), in: context)
        } catch {
            switch error.code {
            case .notFound, .badRequest, .serverRejectedRequest:
                return AsyncStream { $0.finish() }
            default:
                throw error
            }
        }
        guard let url = URL(string: place.webcourierURL),
            ["https", "http"].contains(url.scheme ?? "")
        else { return AsyncStream { $0.finish() } }
        return stream(of: url)
    }

    private func body(_ value: some Encodable) throws(CloudKitServiceError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw CloudKitServiceError(.clientError, reason: "The request cannot be encoded")
        }
    }

    private func stream(of url: URL) -> AsyncStream<PushPayload> {
        let (stream, continuation) = AsyncStream<PushPayload>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.keptPushes))
        let (transport, options) = (transport, options)
        let task = Task {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                switch await Self.nextPush(url, transport, timeout: options.timeout) {
                case .push(let push): continuation.yield(push)
                // A server that responds immediately must not be polled without a pause.
                case .nothing where start.duration(to: .now) > .milliseconds(100): continue
                case .nothing, .failed: try? await Task.sleep(for: .seconds(options.courierPause))
                case .gone: return continuation.finish()
                }
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// How many pushes are kept for an app that does not take them. A push only says that something has
    /// changed.
    private static let keptPushes = 1_000

    private enum CourierAnswer {
        case push(PushPayload)
        case nothing
        case failed
        case gone
    }

    private static func nextPush(
        _ url: URL, _ transport: HTTPTransport, timeout: TimeInterval
    ) async -> CourierAnswer {
        var request = URLRequest(url: url)
        // The server may wait as long as it likes, but a dead connection has to be detected.
        request.timeoutInterval = max(timeout, 120)
        do throws(HTTPFailure) {
            let answer = try await transport.exchange(request)
            switch answer.status {
            case 200:
                // An unreadable push is ignored. It is only a hint, and the next fetch finds the
                // change.
                guard let push = try? JSONDecoder().decode(PushPayload.self, from: answer.body)
                else { return .failed }
                return .push(push)
            case 204, 408, 504: return .nothing
            case 401, 403, 404, 410: return .gone
            default: return .failed
            }
        } catch {
            return error.isTimeout ? .nothing : .failed
        }
    }
}
