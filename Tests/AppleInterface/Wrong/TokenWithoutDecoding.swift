// error: 'required' initializer 'init(coder:)' must be provided by subclass of 'NSPersistentHistoryToken'
import CoreData

class Token: NSPersistentHistoryToken {
    let number: Int

    init(number: Int) {
        self.number = number
        super.init()
    }
}
