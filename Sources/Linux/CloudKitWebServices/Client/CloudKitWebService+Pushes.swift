import Foundation
import FoundationNetworking

/// The web courier.
extension CloudKitWebService {
    /// The pushes for the calling device, as far as there are any over HTTP.
    ///
    /// The server gives an address that answers with one push at a time, as soon as there is one. This
    /// keeps asking until the iteration ends. A server that gives no such address, as one does that is
    /// not Apple's or this package's, sends no pushes: the stream ends at once, and changes are found by
    /// fetching. What is committed while no request is waiting is kept by the server for some hours.
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
            throw CloudKitServiceError(.clientError, reason: "The request cannot be written")
        }
    }

    private func stream(of url: URL) -> AsyncStream<PushPayload> {
        let (stream, continuation) = AsyncStream<PushPayload>.makeStream()
        let (transport, options) = (transport, options)
        let task = Task {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                switch await Self.nextPush(url, transport, timeout: options.timeout) {
                case .push(let push): continuation.yield(push)
                // A server that does not wait is not to be asked without a pause.
                case .nothing where start.duration(to: .now) > .milliseconds(100): continue
                case .nothing, .failed: try? await Task.sleep(for: .seconds(options.courierPause))
                case .gone: return continuation.finish()
                }
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

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
        // The server may wait as long as it wants to; a connection that is dead is found out sooner or
        // later.
        request.timeoutInterval = max(timeout, 120)
        do throws(HTTPFailure) {
            let answer = try await transport.exchange(request)
            switch answer.status {
            case 200:
                // A push that cannot be read is none: it is a hint, and the next fetch finds the change.
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
