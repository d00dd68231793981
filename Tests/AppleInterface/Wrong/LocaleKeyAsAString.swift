// error: cannot convert value of type 'String' to expected argument type 'NSLocale.Key'
import Foundation

func separator(of locale: NSLocale, key: String) -> Any? { locale.object(forKey: key) }
