// error: 'NSRegularExpressionOptions' has been renamed to 'NSRegularExpression.Options'
import Foundation

let options: NSRegularExpressionOptions = []
