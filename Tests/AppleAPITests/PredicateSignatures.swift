import CoreData

// Spells the API of Foundation's predicate family as Apple declares it. It is compiled, not run: a
// missing label or a wrong optional does not compile. Foundation is deliberately not imported.

private func predicateSignatures(date: Date, object: NSObject, arguments: [Any]) {
    let name: String = "x"
    let predicate: NSPredicate = NSPredicate(format: "name == %@", name)
    _ = NSPredicate(format: "a == 1")
    _ = NSPredicate(format: "date > %@ AND object == %@", date as CVarArg, object)
    _ = NSPredicate(format: "a == %d AND b == %ld AND c == %f", 1, 2, 3.0)
    _ = NSPredicate(format: "%K IN %@", #function, [1, 2])
    _ = NSPredicate(format: "a == %@", argumentArray: arguments)
    _ = NSPredicate(format: "a == 1", argumentArray: nil)
    _ = NSPredicate(value: true)
    _ = NSPredicate(block: { (_: Any?, _: [String: Any]?) in true })
    let _: Bool = predicate.evaluate(with: object)
    let _: Bool = predicate.evaluate(with: nil, substitutionVariables: ["a": 1])
    let _: NSPredicate = predicate.withSubstitutionVariables(["a": 1])
    predicate.allowEvaluation()

    let compound = NSCompoundPredicate(type: .and, subpredicates: [predicate])
    _ = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate])
    _ = NSCompoundPredicate(orPredicateWithSubpredicates: [predicate])
    _ = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    let _: NSCompoundPredicate.LogicalType = compound.compoundPredicateType
    let _: [Any] = compound.subpredicates
}

private func comparisonSignatures(left: NSExpression, right: NSExpression) {
    let comparison = NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: .direct, type: .equalTo,
        options: [.caseInsensitive, .diacriticInsensitive, .normalized])
    let _: NSPredicate = comparison
    let _: NSExpression = comparison.leftExpression
    let _: NSExpression = comparison.rightExpression
    let _: NSComparisonPredicate.Modifier = comparison.comparisonPredicateModifier
    let _: NSComparisonPredicate.Operator = comparison.predicateOperatorType
    let _: NSComparisonPredicate.Options = comparison.options
    let _: [NSComparisonPredicate.Modifier] = [.direct, .all, .any]
    let _: [NSComparisonPredicate.Operator] = [
        .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
        .matches, .like, .beginsWith, .endsWith, .in, .customSelector, .contains, .between,
    ]
}

private func expressionSignatures(predicate: NSPredicate, context: NSMutableDictionary?) {
    let constant = NSExpression(forConstantValue: nil)
    let keyPath = NSExpression(forKeyPath: "a.b")
    _ = NSExpression(format: "a + 1")
    _ = NSExpression(format: "a + %@", 1)
    _ = NSExpression(format: "a + %@", argumentArray: [1])
    let _: NSExpression = .expressionForEvaluatedObject()
    let _: NSExpression = .expressionForAnyKey()
    _ = NSExpression(forVariable: "x")
    let function = NSExpression(forFunction: "sum:", arguments: [keyPath])
    _ = NSExpression(forFunction: keyPath, selectorName: "length", arguments: nil)
    let aggregate = NSExpression(forAggregate: [constant, keyPath])
    let union = NSExpression(forUnionSet: aggregate, with: aggregate)
    _ = NSExpression(forIntersectSet: aggregate, with: aggregate)
    _ = NSExpression(forMinusSet: aggregate, with: aggregate)
    let subquery = NSExpression(
        forSubquery: keyPath, usingIteratorVariable: "x", predicate: predicate)
    let conditional = NSExpression(
        forConditional: predicate, trueExpression: constant, falseExpression: keyPath)
    let block = NSExpression(
        block: { (object: Any?, _, _: NSMutableDictionary?) in object ?? 0 },
        arguments: [constant])
    let _: NSExpression.ExpressionType = constant.expressionType
    let _: Any? = constant.constantValue
    let _: String = keyPath.keyPath
    let _: String = function.function
    let _: String = subquery.variable
    let _: NSExpression = function.operand
    let _: [NSExpression]? = function.arguments
    let _: [NSExpression]? = aggregate.collection as? [NSExpression]
    let _: NSPredicate = subquery.predicate
    let _: (NSExpression, NSExpression) = (union.left, union.right)
    let _: (NSExpression, NSExpression) = (conditional.true, conditional.false)
    let _: Any = block.expressionBlock(nil, [], context)
    let _: Any? = function.expressionValue(with: nil, context: context)
    let _: [NSExpression.ExpressionType] = [
        .constantValue, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet,
        .minusSet, .subquery, .aggregate, .anyKey, .block, .conditional,
    ]
}

private func sortDescriptorSignatures(objects: [NSObject]) {
    let key: String? = "name"
    let descriptor: NSSortDescriptor = NSSortDescriptor(key: key, ascending: true)
    _ = NSSortDescriptor(
        key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
    _ = NSSortDescriptor(key: "name", ascending: true, selector: nil)
    _ = NSSortDescriptor(
        key: "name", ascending: true, selector: NSSelectorFromString("caseInsensitiveCompare:"))
    _ = NSSortDescriptor(key: "name", ascending: true) { (_: Any, _: Any) in .orderedSame }
    let _: String? = descriptor.key
    let _: Bool = descriptor.ascending
    let _: Selector? = descriptor.selector
    let _: Any = descriptor.reversedSortDescriptor
    let _: ComparisonResult = descriptor.compare(objects[0], to: objects[1])
    let _: [Any] = (objects as NSArray).sortedArray(using: [descriptor])
}

private func transformerSignatures() {
    final class Transformer: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSData.self }
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { value }
        override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    }
    final class Secure: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] {
            super.allowedTopLevelClasses + [NSDate.self]
        }
    }
    let name = NSValueTransformerName("Transformer")
    ValueTransformer.setValueTransformer(Transformer(), forName: name)
    ValueTransformer.setValueTransformer(Secure(), forName: NSValueTransformerName(rawValue: "S"))
    let _: ValueTransformer? = ValueTransformer(forName: name)
    let _: ValueTransformer? = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
    let _: [NSValueTransformerName] = ValueTransformer.valueTransformerNames()
    let _: String = name.rawValue
}

private func undo(_ manager: UndoManager, _ target: NSObject) {
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    manager.registerUndo(withTarget: target) { (target: NSObject) in _ = target }
    manager.removeAllActions()
    manager.removeAllActions(withTarget: target)
    manager.undo()
    manager.undoNestedGroup()
    manager.redo()
    manager.setActionName("Typing")
    manager.setActionIsDiscardable(true)
    manager.groupsByEvent = true
    manager.levelsOfUndo = 5
    manager.runLoopModes = [.default]
    let _: [Int] = [manager.groupingLevel, manager.undoCount, manager.redoCount]
    let _: [Bool] = [
        manager.isUndoRegistrationEnabled, manager.canUndo, manager.canRedo, manager.isUndoing,
        manager.isRedoing, manager.undoActionIsDiscardable, manager.redoActionIsDiscardable,
    ]
    let _: [String] = [
        manager.undoActionName, manager.redoActionName, manager.undoMenuItemTitle,
        manager.redoMenuItemTitle, manager.undoMenuTitle(forUndoActionName: "a"),
        manager.redoMenuTitle(forUndoActionName: "a"), NSUndoManagerGroupIsDiscardableKey,
    ]
    let _: Int = NSUndoCloseGroupingRunLoopOrdering
    let _: [NSNotification.Name] = [
        .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
        .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange,
        .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
    ]
}

// MARK: - Types, exactly

private func predicateTypes(_ members: Members<NSPredicate>) {
    members.function(
        type(of: NSPredicate.init(format:argumentArray:)),
        (@Sendable (String, [Any]?) -> NSPredicate).self)
    members.function(type(of: NSPredicate.init(value:)), (@Sendable (Bool) -> NSPredicate).self)
    members.function(
        type(of: NSPredicate.init(block:)),
        (@Sendable (@escaping (Any?, [String: Any]?) -> Bool) -> NSPredicate).self)
    members.method(type(of: NSPredicate.evaluate(with:)), ((Any?) -> Bool).self)
    members.method(
        type(of: NSPredicate.evaluate(with:substitutionVariables:)),
        ((Any?, [String: Any]?) -> Bool).self)
    members.method(
        type(of: NSPredicate.withSubstitutionVariables(_:)), (([String: Any]) -> NSPredicate).self)
    members.method(type(of: NSPredicate.allowEvaluation), (() -> Void).self)
}

// Foundation on Linux marks the property as deprecated; here it works for all parsed predicates.
@available(*, deprecated)
private func predicateFormatType(_ members: Members<NSPredicate>) {
    members.readOnly(\.predicateFormat, String.self)
}

private func compoundTypes(_ members: Members<NSCompoundPredicate>) {
    members.function(
        type(of: NSCompoundPredicate.init(type:subpredicates:)),
        (@Sendable (NSCompoundPredicate.LogicalType, [NSPredicate]) -> NSCompoundPredicate).self)
}

private func comparisonTypes(_ members: Members<NSComparisonPredicate>) {
    members.readOnly(\.predicateOperatorType, NSComparisonPredicate.Operator.self)
    members.readOnly(\.comparisonPredicateModifier, NSComparisonPredicate.Modifier.self)
    members.readOnly(\.leftExpression, NSExpression.self)
    members.readOnly(\.rightExpression, NSExpression.self)
    members.readOnly(\.options, NSComparisonPredicate.Options.self)
}

private func expressionTypes(_ members: Members<NSExpression>) {
    members.function(
        type(of: NSExpression.init(forConstantValue:)), (@Sendable (Any?) -> NSExpression).self)
    members.function(
        type(of: NSExpression.init(forKeyPath:)), (@Sendable (String) -> NSExpression).self)
    members.function(
        type(of: NSExpression.init(forVariable:)), (@Sendable (String) -> NSExpression).self)
    members.function(
        type(of: NSExpression.init(forFunction:arguments:)),
        (@Sendable (String, [Any]) -> NSExpression).self)
    members.function(
        type(of: NSExpression.init(forAggregate:)),
        (@Sendable ([NSExpression]) -> NSExpression).self)
    members.function(
        type(of: NSExpression.init(forSubquery:usingIteratorVariable:predicate:)),
        (@Sendable (NSExpression, String, NSPredicate) -> NSExpression).self)
    members.readOnly(\.expressionType, NSExpression.ExpressionType.self)
    members.readOnly(\.keyPath, String.self)
    members.readOnly(\.variable, String.self)
    members.readOnly(\.function, String.self)
    members.readOnly(\.arguments, [NSExpression]?.self)
    members.readOnly(\.operand, NSExpression.self)
    members.readOnly(\.predicate, NSPredicate.self)
    members.readOnly(\.left, NSExpression.self)
    members.readOnly(\.right, NSExpression.self)
    members.readOnly(\.true, NSExpression.self)
    members.readOnly(\.false, NSExpression.self)
}

private func sortDescriptorTypes(_ members: Members<NSSortDescriptor>) {
    members.function(
        type(of: NSSortDescriptor.init(key:ascending:)),
        (@Sendable (String?, Bool) -> NSSortDescriptor).self)
    members.function(
        type(of: NSSortDescriptor.init(key:ascending:selector:)),
        (@Sendable (String?, Bool, Selector?) -> NSSortDescriptor).self)
    members.readOnly(\.key, String?.self)
}
