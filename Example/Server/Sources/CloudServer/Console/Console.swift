import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import LocalCloud

/// CloudKit's console at home: pages that show what is in the cloud, and buttons that make things go wrong.
struct Console: Sendable {
    let server: CloudServer
    let library: PageLibrary
    let access: ConsoleAccess
    let reader: ConsoleReader
    let faults = FaultList()

    init(server: CloudServer, library: PageLibrary, access: ConsoleAccess) {
        self.server = server
        self.library = library
        self.access = access
        reader = ConsoleReader(cloud: server.consoleCloud)
    }

    func addRoutes(to router: Router<ServerContext>) {
        for file in ["console.css", "console.js", "signedin.js"] {
            router.get("console/\(file)") { _, _ in try library.file(file) }
        }
        router.post("console/administrator") { request, _ in
            try await signInAdministrator(request)
        }
        let group = router.group().add(middleware: ConsoleGate(access: access, library: library))
        group.get("/") { try await show($0, $1, overview) }
        for (page, show) in pages {
            group.get("console/\(page.rawValue)") { request, context in
                try await self.show(request, context, show)
            }
        }
        group.get("console/changes/rows") { request, context in
            try await newChanges(request, context)
        }
        group.get("console/asset") { request, context in try await asset(request, context) }
        for action in ConsoleAction.allCases {
            group.post("console/actions/\(action.rawValue)") { request, context in
                try await carryOut(action, request, context)
            }
        }
    }

    /// What a page shows: its template and what is filled in.
    struct Content {
        let template: String
        let title: String
        var crumbs: [(text: String, address: String?)] = []
        var values: [String: Any]
    }

    private typealias Show = @Sendable (FormFields) async throws -> Content

    private var pages: [(ConsolePage, Show)] {
        [
            (.database, database), (.schema, schema), (.records, records), (.record, record),
            (.changes, changes), (.devices, devices), (.faults, faultsPage),
        ]
    }

    private func show(
        _ request: Request, _ context: ServerContext, _ content: Show
    ) async throws -> Response {
        do {
            let fields = FormFields(query: request)
            return try page(try await content(fields), fields, context)
        } catch let error as CloudKitServiceError {
            throw HTTPError(error.pageStatus, message: error.description)
        }
    }

    /// A page with what all pages have.
    func page(
        _ content: Content, _ fields: FormFields, _ context: ServerContext
    ) throws -> Response {
        var values = content.values
        values["title"] = content.title
        values["form"] = context.session.map(access.formToken) ?? ""
        values["isAdministrator"] = context.session?.role == .administrator
        values["crumbs"] = content.crumbs.map { crumb -> [String: Any] in
            var values: [String: Any] = ["text": crumb.text]
            values["link"] = crumb.address.map { ["address": $0] }
            return values
        }
        let note = fields["note"].flatMap { ConsoleAction(rawValue: $0)?.note }
        values["note"] = note.map { ["text": $0] }
        values["at"] = [content.template: true]
        return try library.page(content.template, values)
    }

    // MARK: - The administrator

    private func signInAdministrator(_ request: Request) async throws -> Response {
        let form = try await FormFields(body: request)
        guard let session = access.session(of: request),
            access.isFormToken(form["form"], of: session)
        else { throw HTTPError(.forbidden, message: "The form is too old. Open the page again.") }
        guard access.isAdministrator(form["token"] ?? "") else {
            return try library.page(
                "administrator",
                [
                    "form": access.formToken(of: session), "hasFailed": true,
                    "isOpen": access.isOpenOnLoopback,
                ], status: .unauthorized)
        }
        var response = Response(status: .seeOther, headers: [.location: "/"])
        access.set(access.makeSession(.administrator), in: &response)
        return response
    }
}

extension CloudKitServiceError {
    /// The status of a page that cannot be shown.
    var pageStatus: HTTPResponse.Status {
        switch code {
        case .notFound, .zoneNotFound, .userDeletedZone: .notFound
        case .badRequest, .badDatabase: .badRequest
        default: .internalServerError
        }
    }
}
