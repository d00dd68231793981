/// The class with a name, with or without its module; nil if there is none.
///
/// Linux-only: `NSClassFromString` finds classes there with their modules only. The plugin PortTests makes the
/// sources that it rewrites call this function instead.
public func _classFromString(_ name: String) -> AnyClass? {
    NSClassFromString(name) ?? LoadedModules.shared.subclass(named: name, of: NSObject.self)
}
