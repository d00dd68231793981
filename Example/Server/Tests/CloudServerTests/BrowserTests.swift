import CloudKit
import CloudServer
import Foundation
import Testing

/// The pages in a real browser, with its own rules for cookies, forms and scripts.
@Suite(
    "The pages in Chromium", .serialized, .enabled(if: Browser.isInstalled),
    .timeLimit(.minutes(4)))
struct BrowserTests {
    private static let place = ConsoleTests.place

    /// A server with an open console, and a browser.
    private func withConsole(
        _ body: @escaping @Sendable (RunningServer, Browser) async throws -> Void
    ) async throws {
        try await RunningServer.run({
            $1.opensConsoleOnLoopback = true
            $1.signIn = .anybody
        }) { running in
            try await Browser.use { browser in
                try await browser.open(running.url.absoluteString + running.entrance)
                try await body(running, browser)
            }
        }
    }

    @Test("With the keyboard alone one gets from the containers to a record and its picture")
    func keyboard() async throws {
        // The smallest picture that there is: one pixel.
        let pixel = try #require(
            Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"))
        try await withConsole { running, browser in
            let database = try await running.device("d").privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Places"))
            let file = running.folder.appendingPathComponent("pixel")
            try pixel.write(to: file)
            func record(_ name: String) -> CKRecord {
                CKRecord(
                    recordType: "Place",
                    recordID: CKRecord.ID(recordName: name, zoneID: zone.zoneID))
            }
            let (rome, italy) = (record("rome"), record("italy"))
            rome["country"] = CKRecord.Reference(record: italy, action: .none)
            rome["photo"] = CKAsset(fileURL: file)
            _ = try await database.modifyRecords(saving: [italy, rome], deleting: [])

            try await browser.open(running.url.absoluteString)
            for link in ["ann", "Places", "rome"] {
                try await browser.tab(to: link)
                try await browser.press(.enter)
            }
            #expect(try await browser.text("h1") == "rome")
            #expect(try await browser.script("return document.images[0].naturalWidth") == "1")
            try await browser.tab(to: "italy")
            try await browser.press(.enter)
            #expect(try await browser.text("h1") == "italy")
        }
    }

    @Test("A change is on the page without loading it again")
    func live() async throws {
        try await withConsole { running, browser in
            try await running.makeNote("x")
            try await browser.open("\(running.url)/console/changes?\(Self.place)")
            #expect(try await browser.text("#live.on") == "Live")
            _ = try await running.operation(
                "records/modify",
                #"{"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{"recordName":"later","recordType":"Note"}}]}"#
            )
            #expect(try await browser.text("tr.new").contains("later"))
        }
    }

    /// A server with a record, a device and faults whose names are long, and the pages that show them.
    private func withLongNames(
        _ body: @escaping @Sendable (Browser, [String]) async throws -> Void
    ) async throws {
        let name = String(repeating: "name", count: 20)
        try await withConsole { running, browser in
            let database = try await running.device(name).privateCloudDatabase
            let zone = try await database.save(
                CKRecordZone(zoneName: "SMStoreCloudStore_CustomZone"))
            let record = CKRecord(
                recordType: "A\(name.prefix(60))",
                recordID: CKRecord.ID(recordName: name, zoneID: zone.zoneID))
            record["text"] = String(repeating: "Some words. ", count: 30)
            record["a\(name.prefix(60))"] = [
                CKRecord.Reference(recordID: record.recordID, action: .none)
            ]
            record.encryptedValues["secret"] = "x"
            for field in 0..<12 { record["field\(field)"] = 1 / Double(field + 3) }
            try await database.save(record)
            let client = try await ConsoleClient.open(running)
            for form in ["effect=throttled&zone=\(name)&device=\(name)", "effect=delay&always=1"] {
                #expect(try await client.post("addFault", form).status == 303)
            }
            let place = "\(Self.place)&zone=SMStoreCloudStore_CustomZone&record=\(name)"
            let console = ConsoleTests.pages.filter {
                $0 != "/console/asset" && !$0.hasSuffix("rows")
            }
            let pages =
                console.map { "\($0)?\(place)&note=addFault" }
                + ["/signin?ckAPIToken=\(RunningServer.apiToken)"]
            try await body(browser, pages.map { running.url.absoluteString + $0 })
        }
    }

    @Test("Every page fits into a narrow window", arguments: [320, 400])
    func narrow(width: Int) async throws {
        try await withLongNames { browser, pages in
            try await browser.show(width: width, colors: "light")
            for page in pages {
                try await browser.open(page)
                let outside = try await browser.script(
                    """
                    for (const details of document.querySelectorAll("details")) details.open = true;
                    const isOutside = (element) =>
                        element.checkVisibility()
                        && element.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
                    return [...document.querySelectorAll("header, header *, main, main *")]
                        .filter(isOutside).map((element) => element.outerHTML.slice(0, 80)).join("\\n");
                    """)
                #expect(outside == "", "\(page)")
            }
        }
    }

    @Test("Words and buttons are not broken in a wide window, where tables scroll by themselves")
    func wide() async throws {
        try await withLongNames { browser, pages in
            try await browser.show(width: 1200, colors: "light")
            for page in pages {
                try await browser.open(page)
                let broken = try await browser.script(
                    """
                    const lines = (element) => {
                        const range = document.createRange();
                        range.selectNodeContents(element);
                        return new Set([...range.getClientRects()].map((line) => line.top)).size;
                    };
                    const parts = [...document.querySelectorAll("button, .word, .number, .time")]
                        .filter((element) => element.checkVisibility() && lines(element) > 1);
                    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
                        parts.push(document.body);
                    return parts.map((element) => element.outerHTML.slice(0, 80)).join("\\n");
                    """)
                #expect(broken == "", "\(page)")
            }
        }
    }

    @Test("All text has enough contrast", arguments: ["light", "dark"])
    func contrast(colors: String) async throws {
        try await withLongNames { browser, pages in
            try await browser.show(width: 1200, colors: colors)
            for page in pages {
                try await browser.open(page)
                let pale = try await browser.script(Self.paleText)
                #expect(pale == "", "\(page)")
            }
        }
    }

    /// A script that finds the text whose contrast is less than the 4.5 of the W3C's guidelines.
    private static let paleText = """
        const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
        const luminance = (color) => {
            const [red, green, blue] = color.map((part) =>
                part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const found = [];
        for (const element of document.querySelectorAll("body *")) {
            const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!element.checkVisibility() || !(hasText || element.matches("input, select"))) continue;
            let opacity = 1, back = null;
            for (let place = element; place; place = place.parentElement) {
                const style = getComputedStyle(place);
                opacity *= Number(style.opacity);
                const color = numbers(style.backgroundColor);
                if (!back && color[3] !== 0) back = color.slice(0, 3);
            }
            const text = numbers(getComputedStyle(element).color).slice(0, 3)
                .map((part, index) => part * opacity + back[index] * (1 - opacity));
            const [low, high] = [luminance(text), luminance(back)].sort((a, b) => a - b);
            if ((high + 0.05) / (low + 0.05) < 4.5) found.push(element.outerHTML.slice(0, 80));
        }
        return found.join("\\n");
        """

    @Test("A zone is purged by the button in the menu, and the page says so")
    func purge() async throws {
        try await withConsole { running, browser in
            try await running.makeNote("x")
            try await browser.open("\(running.url)/console/database?\(Self.place)")
            try await browser.click("summary")
            try await browser.press(.escape)
            #expect(
                try await browser.script("return document.querySelector('details').open") == "0")
            try await browser.click("summary")
            try await browser.click("form[action$=purgeZone] button")
            #expect(try await browser.text(".note").hasPrefix("The zone was purged"))
            #expect(try await !running.operation("zones/list", nil).text.contains(#""Z""#))
        }
    }

    @Test("A page of nobody's, with the browser's own cookie, cannot press a button")
    func otherSites() async throws {
        try await withConsole { running, browser in
            try await running.makeNote("x")
            // The browser has a session now.
            try await browser.open("\(running.url)/console/database?\(Self.place)")
            let form = try await browser.script(
                "return document.querySelector('input[name=form]').value")
            let fields = ["form": form, "zone": "Z"].merging(
                Self.place.split(separator: "&").map {
                    let parts = $0.split(separator: "=")
                    return (String(parts[0]), String(parts[1]))
                }
            ) { $1 }
            let inputs = fields.map { "<input name='\($0.key)' value='\($0.value)'>" }.joined()
            let page =
                "<form method='post' action='\(running.url)/console/actions/purgeZone'>\(inputs)"
                + "<button>x</button></form>"
            try await browser.open("data:text/html;base64,\(Data(page.utf8).base64EncodedString())")
            try await browser.click("button")
            #expect(try await browser.text("p") == "The form was sent by another site.")
            #expect(try await running.operation("zones/list", nil).text.contains(#""Z""#))
        }
    }

    @Test("No value runs as a script, wherever it is shown")
    func scripts() async throws {
        let texts = [
            "<script>window.harm = 1</script>", "<img src=x onerror='window.harm = 1'>",
            "\"\u{301} autofocus onfocus=\"window.harm = 1", "<svg onload='window.harm = 1'>",
        ]
        try await withConsole { running, browser in
            for (index, text) in texts.enumerated() {
                let database = try await running.device("d", user: text).privateCloudDatabase
                let zone = try await database.save(CKRecordZone(zoneName: "Z\(index)"))
                let record = CKRecord(
                    recordType: "Note", recordID: CKRecord.ID(recordName: "r", zoneID: zone.zoneID))
                record["text"] = text
                record["list"] = [text, text]
                try await database.save(record)
                let place =
                    "container=\(RunningServer.container)&environment=development&scope=private"
                    + "&user=\(encoded(text))&zone=Z\(index)&type=Note&record=r"
                for page in [
                    "", "console/database", "console/records", "console/record", "console/changes",
                    "console/devices",
                ] {
                    try await browser.open("\(running.url)/\(page)?\(place)&value=\(encoded(text))")
                    #expect(try await browser.script("return String(window.harm)") == "undefined")
                    if page == "console/record" {
                        #expect(try await browser.text(".fields").contains(text))
                    }
                }
            }
        }
    }

    @Test("A user signs in, and sees the token that the app gets")
    func signIn() async throws {
        try await withConsole { running, browser in
            try await browser.open("\(running.url)/signin?ckAPIToken=\(RunningServer.apiToken)")
            try await browser.type("ann" + Browser.Key.enter.rawValue, into: "input[name=user]")
            let token = encoded(try await browser.text("#token"))
            let answer = try await running.send(
                "GET",
                "/database/1/\(RunningServer.container)/development/private/zones/list"
                    + "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(token)")
            #expect(answer.status == 200)
        }
    }
}
