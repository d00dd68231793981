import Foundation
import FoundationGaps
import FoundationNetworking
import PrivateFiles

/// Sends requests over HTTP, without cookies, a cache or stored credentials.
final class HTTPTransport: Sendable {
    private let session: URLSession
    private let delegate = TransportDelegate()
    private let maximumAnswerSize: Int64

    /// A server may answer this to a request for a file that it does not give.
    private static let errorSize: Int64 = 65_536

    /// - Parameters:
    ///   - timeout: How many seconds the server may take without sending any data.
    ///   - maximumAnswerSize: How many bytes an answer may have, except for a download.
    init(timeout: TimeInterval, maximumAnswerSize: Int64) {
        self.maximumAnswerSize = maximumAnswerSize
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request with its body in memory.
    func exchange(_ request: URLRequest) async throws(HTTPFailure) -> HTTPAnswer {
        try await run(session.dataTask(with: request), limit: maximumAnswerSize)
    }

    /// Sends a request whose body is a file.
    func upload(_ request: URLRequest, from file: URL) async throws(HTTPFailure) -> HTTPAnswer {
        try await run(
            session.uploadTask(with: request, fromFile: file), limit: maximumAnswerSize)
    }

    /// Sends a request, and writes the body of a successful response to a file.
    ///
    /// - Parameter limit: How many bytes the file may have.
    func download(
        _ request: URLRequest, to file: URL, limit: Int64
    ) async throws(HTTPFailure) -> HTTPAnswer {
        try await run(
            session.downloadTask(with: request), destination: file,
            limit: max(limit, Self.errorSize))
    }

    private func run(
        _ task: URLSessionTask, destination: URL? = nil, limit: Int64
    ) async throws(HTTPFailure) -> HTTPAnswer {
        let delegate = delegate
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                delegate.begin(task, destination: destination, limit: limit, continuation)
                task.resume()
                // The cancellation handler may have run before the task was registered.
                if Task.isCancelled { delegate.cancel(task) }
            }
        } onCancel: {
            delegate.cancel(task)
        }
        return try result.get()
    }
}

/// Collects what arrives for each task.
private final class TransportDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
    typealias Outcome = Result<HTTPAnswer, HTTPFailure>

    private struct Exchange {
        var continuation: CheckedContinuation<Outcome, Never>
        /// The file for a download.
        var destination: URL?
        /// How many bytes the body may have.
        var limit: Int64
        var head: HTTPURLResponse?
        var body = Data()
        var fileError: URLError.Code?
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func begin(
        _ task: URLSessionTask, destination: URL?, limit: Int64,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(
                continuation: continuation, destination: destination, limit: limit)
        }
    }

    /// Ends a task without waiting for the session, which may miss a cancellation while the task
    /// begins.
    func cancel(_ task: URLSessionTask) {
        task.cancel()
        finish(task) { _ in .failure(HTTPFailure(code: .cancelled)) }
    }

    private func finish(_ task: URLSessionTask, _ outcome: (Exchange) -> Outcome) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        exchange.continuation.resume(returning: outcome(exchange))
    }

    private func change(_ task: URLSessionTask, _ body: (inout Exchange) -> Void) {
        exchanges.withLock { exchanges in
            guard var exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return }
            body(&exchange)
            exchanges[task.taskIdentifier] = exchange
        }
    }

    /// Follows redirections of downloads only. An asset may be on another server, but a request
    /// with credentials must not be redirected there without its sender's decision.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let isDownload = exchanges.withLock { $0[task.taskIdentifier]?.destination != nil }
        let schemes = [task.currentRequest, request].map { $0?.url?.scheme?.lowercased() }
        let isSafe = schemes[1] == "https" || schemes == ["http", "http"]
        completionHandler(isDownload && isSafe ? request : nil)
    }

    /// The size counts after decompression: a small answer can be a large one.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let limit = exchanges.withLock { $0[downloadTask.taskIdentifier]?.limit }
        if let limit, totalBytesWritten > limit { refuse(downloadTask) }
    }

    /// Ends a task whose answer is too large.
    private func refuse(_ task: URLSessionTask) {
        task.cancel()
        finish(task) { _ in
            .failure(HTTPFailure(code: .dataLengthExceedsMaximum, hasAnswerBegun: true))
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        change(downloadTask) { exchange in
            let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
            guard let destination = exchange.destination, (200..<300).contains(status) else {
                exchange.body = (try? Data(contentsOf: location)) ?? Data()
                return
            }
            do {
                PrivateFile.restrict(location)
                try FileManager.default.moveItem(at: location, to: destination)
            } catch {
                exchange.fileError = .cannotMoveFile
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        finish(task) { Self.outcome($0, task, error) }
    }

    private static func outcome(
        _ exchange: Exchange, _ task: URLSessionTask, _ error: (any Error)?
    ) -> Outcome {
        let response = exchange.head ?? task.response as? HTTPURLResponse
        if let error {
            let code = (error as? URLError)?.code ?? .unknown
            let hasBegun = response.map { (200..<300).contains($0.statusCode) } ?? false
            return .failure(HTTPFailure(code: code, hasAnswerBegun: hasBegun))
        }
        if let code = exchange.fileError { return .failure(HTTPFailure(code: code)) }
        guard let response else { return .failure(HTTPFailure(code: .badServerResponse)) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name.lowercased()] = value
        }
        return .success(
            HTTPAnswer(status: response.statusCode, headers: headers, body: exchange.body))
    }
}

extension TransportDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        change(dataTask) { $0.head = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        var isTooLarge = false
        change(dataTask) { exchange in
            isTooLarge = Int64(exchange.body.count) + Int64(data.count) > exchange.limit
            if !isTooLarge { exchange.body.append(data) }
        }
        if isTooLarge { refuse(dataTask) }
    }
}
