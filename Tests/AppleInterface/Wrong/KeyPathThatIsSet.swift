// error: cannot assign to property: 'keyPath' is a get-only property
import Foundation

func rename(_ expression: NSExpression) { expression.keyPath = "other" }
