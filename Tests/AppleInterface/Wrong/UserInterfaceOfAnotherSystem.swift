// error: no such module 'UIKit'
// system: macos
import UIKit
