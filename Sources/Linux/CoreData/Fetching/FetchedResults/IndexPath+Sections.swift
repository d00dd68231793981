import FoundationGaps

// On Apple's systems UIKit and AppKit give index paths these names; Linux has neither.

extension IndexPath {
    /// A place in a section of a list.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// A place in a section of a collection.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The place within the section of a list.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The place within the section of a collection.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
