// error: expects 2 arguments
import CloudKit

func check(_ container: CKContainer) {
    container.accountStatus { status in print(status) }
}
