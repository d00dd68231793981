// error: UIApplication
// system: watchos
import UIKit

func application() -> UIApplication { UIApplication.shared }
