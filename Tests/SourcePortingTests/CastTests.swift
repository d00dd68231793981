import Testing

@Suite("Casts of fetch requests") struct CastTests {
    @Test(
        "A forced cast to another result type becomes a cast that does not compare the types",
        arguments: [
            Porting(
                "let r = request as! NSFetchRequest<NSFetchRequestResult>",
                "let r = unsafeBitCast(request, to: NSFetchRequest<NSFetchRequestResult>.self)"),
            Porting(
                "f(self.all(in: c) as! NSFetchRequest<any NSFetchRequestResult>, 1)",
                "f(unsafeBitCast(self.all(in: c), to: NSFetchRequest<any NSFetchRequestResult>.self), 1)"
            ),
            Porting(
                "try g(NSFetchRequest<A>(entityName: \"A\") as! NSFetchRequest<B>)",
                "try g(unsafeBitCast(NSFetchRequest<A>(entityName: \"A\"), to: NSFetchRequest<B>.self))"
            ),
            Porting(
                "return (a ?? b) as! NSFetchRequest<Self>",
                "return unsafeBitCast((a ?? b), to: NSFetchRequest<Self>.self)"),
            Porting(
                "x = items[0].request as! NSFetchRequest<B>",
                "x = unsafeBitCast(items[0].request, to: NSFetchRequest<B>.self)"),
        ])
    func rewritten(example: Porting) {
        #expect(Porting.port(example.source) == example.result)
        #expect(Porting.port(example.result) == example.result)
        #expect(Porting.handWork(example.source) == [])
    }

    @Test(
        "A conditional cast, and one that is not forced, stay",
        arguments: [
            "let r = request as? NSFetchRequest<B>", "let r = request as NSFetchRequest<B>",
            "let r = object as! B",
        ])
    func untouched(source: String) {
        #expect(Porting.port(source) == source)
    }
}
