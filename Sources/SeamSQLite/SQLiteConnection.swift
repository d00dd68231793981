import Foundation
import SQLite3
