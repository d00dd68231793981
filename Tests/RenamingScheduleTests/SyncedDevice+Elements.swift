import CoreData

/// The elements of composite values, whose names change, too.
extension SyncedDevice {
    /// A composite value with today's names of its elements, of which the model may have fewer.
    func todaysNames(_ value: [String: Any], of role: String) -> [String: Any] {
        var named: [String: Any] = [:]
        for element in plan.elements(of: role) {
            guard let part = value[ModelRoles.firstName(element.role)] else { continue }
            named[name(element.role)] =
                (part as? [String: Any]).map { todaysNames($0, of: element.role) } ?? part
        }
        return named
    }

    /// A composite value with the first names of its elements.
    func firstNames(_ value: Any?, of role: String) -> Any? {
        guard let value = value as? [String: Any] else { return value }
        let elements = plan.elements(of: role)
        var named: [String: Any] = [:]
        for (name, part) in value {
            if let element = elements.first(where: { self.name($0.role) == name }) {
                named[ModelRoles.firstName(element.role)] = firstNames(part, of: element.role)
            } else {
                // Only a mistake of the store makes one, and it is to be seen.
                named["unknown \(name)"] = part
            }
        }
        return named
    }

    /// Changes an element and leaves the others as they are. Returns false if there is none.
    func setElement(_ role: String, _ value: Int?, of object: NSManagedObject) -> Bool {
        let attribute = ModelRoles.attribute(ofElement: role)
        guard has(attribute),
            let element = ModelRoles.elements.first(where: { $0.role == role }),
            plan.nestsElements || !element.isNested
        else { return false }
        let name = name(attribute)
        let former = object.value(forKey: name) as? [String: Any] ?? [:]
        let value = element.value(value).map { value in
            (value as? [String: Any]).map { todaysNames($0, of: role) } ?? value
        }
        object.setValue(changed(former, of: attribute, at: role, to: value), forKey: name)
        return true
    }

    private func changed(
        _ value: [String: Any], of parent: String, at role: String, to part: Any?
    ) -> [String: Any] {
        var value = value
        for element in plan.elements(of: parent) {
            let name = name(element.role)
            if element.role == role {
                value[name] = part
            } else if role.hasPrefix(element.role + ".") {
                let former = value[name] as? [String: Any] ?? [:]
                value[name] = changed(former, of: element.role, at: role, to: part)
            }
        }
        return value
    }
}
