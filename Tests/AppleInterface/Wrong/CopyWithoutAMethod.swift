// error: type 'Box' does not conform to protocol 'NSCopying'
import Foundation

class Box: NSObject, NSCopying {}
