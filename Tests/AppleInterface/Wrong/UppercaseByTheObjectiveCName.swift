// error: has no member 'uppercase'
import Foundation

func shout(_ text: NSString) -> String { text.uppercase }
