// error: missing argument for parameter 'fetchCompletionHandler' in call
import Seam3

func push(_ store: SMStore, _ userInfo: [AnyHashable: Any]) { store.handlePush(userInfo: userInfo) }
