import FoundationGaps

// On Apple's systems UIKit and AppKit add these names to index paths; Linux has neither.

extension IndexPath {
    /// An index path of a row in a section.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// An index path of an item in a section.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row within the section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item within the section.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
