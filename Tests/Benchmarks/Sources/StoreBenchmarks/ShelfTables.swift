/// The tables and indexes of the two yardsticks, with the columns, keys and indexes that the store
/// creates for ``ShelfModel``, without those for sync.
enum ShelfTables {
    static let statements = [
        "CREATE TABLE reader (pk INTEGER PRIMARY KEY, name TEXT, number INTEGER)",
        """
        CREATE TABLE book (pk INTEGER PRIMARY KEY, title TEXT, code TEXT, number INTEGER, \
        pages INTEGER, shelf INTEGER, price REAL, added REAL, isLent INTEGER, note TEXT, \
        reader INTEGER)
        """,
        "CREATE INDEX book_reader ON book (reader)",
        "CREATE INDEX book_code ON book (code)",
    ]

    /// Sets the yardsticks' page cache to the store's size.
    static let cacheSize = "PRAGMA cache_size = -8192"

    static let insertReader = "INSERT INTO reader (pk, name, number) VALUES (?, ?, ?)"
    static let insertBook = """
        INSERT INTO book (pk, title, code, number, pages, shelf, price, added, isLent, note, \
        reader) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let allColumns =
        "pk, title, code, number, pages, shelf, price, added, isLent, note, reader"
    static let toMany = """
        SELECT pk, number FROM reader WHERE EXISTS (SELECT 1 FROM book \
        WHERE book.reader = reader.pk AND book.pages = 500)
        """
    /// A checksum of all values of all books and of their readers. It also works for the store's
    /// tables, whose names differ only in case.
    static let checksum = """
        SELECT count(*) + total(length(b.title)) + total(length(b.code)) + total(b.number) \
        + total(b.pages) * 3 + total(b.shelf) + total(CAST(b.price AS INTEGER)) \
        + total(b.added) + total(b.isLent) + total(length(b.note)) + total(r.number) * 7 \
        FROM book AS b LEFT JOIN reader AS r ON r.pk = b.reader
        """
    static let groups = "SELECT shelf, COUNT(number), SUM(pages) FROM book GROUP BY shelf"
}
