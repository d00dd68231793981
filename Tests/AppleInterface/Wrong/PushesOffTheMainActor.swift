// error: main actor-isolated
// system: ios
// language-mode: 6
import UIKit

func register() { UIApplication.shared.registerForRemoteNotifications() }
