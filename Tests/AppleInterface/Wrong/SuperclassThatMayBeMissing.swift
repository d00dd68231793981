// error: value of optional type 'AnyClass?'
import Foundation

func parent(of object: NSObject) -> String { NSStringFromClass(object.superclass) }
