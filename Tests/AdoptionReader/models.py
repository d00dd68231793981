#!/usr/bin/env python3
"""Prints what versions of a Core Data model say, one line for each entity and property.

It knows only how Xcode writes a version (`.xcdatamodel/contents`), and shares nothing with the
package: the tests print the same of the models that the package reads, and compare.

    models.py VERSION.xcdatamodel ...
"""
import struct
import sys
import uuid
import xml.etree.ElementTree
from decimal import Decimal, InvalidOperation
from pathlib import Path

INTEGERS = {"Integer 16": 16, "Integer 32": 32, "Integer 64": 64}


def flag(element, name):
    return 1 if element.get(name, "NO").upper() in ("YES", "TRUE", "1") else 0


def number(text):
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def boolean(text):
    """Xcode leaves numbers behind where an attribute had another type."""
    if text.upper() in ("YES", "TRUE"):
        return 1
    if text.upper() in ("NO", "FALSE"):
        return 0
    value = number(text)
    return None if value is None else int(value != 0)


def integer(text, bits):
    try:
        value = int(text)
    except ValueError:
        real = number(text)
        if real is None:
            value = boolean(text)
        else:
            value = int(real) if real == int(real) else None
    return value if value is not None and -(1 << bits - 1) <= value < 1 << bits - 1 else None


def decimal(text):
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return format(value.normalize() + 0, "f") if value.is_finite() else None


def default(element):
    """The default value in a form that does not depend on how it was written."""
    kind = element.get("attributeType", "")
    key = "defaultDateTimeInterval" if kind == "Date" else "defaultValueString"
    text = element.get(key)
    if text is None:
        return "-"
    value = text
    if kind in INTEGERS:
        value = integer(text, INTEGERS[kind])
    elif kind == "Boolean":
        value = boolean(text)
    elif kind in ("Double", "Date"):
        value = number(text)
    elif kind == "Float":
        value = number(text)
        value = None if value is None else struct.unpack("f", struct.pack("f", value))[0]
    elif kind == "Decimal":
        value = decimal(text)
    elif kind == "UUID":
        try:
            value = str(uuid.UUID(text)).upper()
        except ValueError:
            value = None
    return "-" if value is None else "=" + str(value)


def attribute(owner, element):
    return (
        f"A {owner}.{element.get('name')} {element.get('attributeType') or 'Undefined'}"
        f" optional={flag(element, 'optional')} transient={flag(element, 'transient')}"
        f" external={flag(element, 'allowsExternalBinaryDataStorage')}"
        f" derived={flag(element, 'derived')} default{default(element)}"
    )


def relationship(owner, element):
    most = element.get("maxCount") or ("0" if flag(element, "toMany") else "1")
    return (
        f"R {owner}.{element.get('name')} to={element.get('destinationEntity')}"
        f" inverse={element.get('inverseName') or '-'}"
        f" rule={element.get('deletionRule') or 'Nullify'}"
        f" min={int(element.get('minCount') or 0)} max={int(most)}"
        f" ordered={flag(element, 'ordered')} optional={flag(element, 'optional')}"
        f" transient={flag(element, 'transient')}"
    )


def entity(element):
    name = element.get("name")
    yield (
        f"E {name} abstract={flag(element, 'isAbstract')}"
        f" parent={element.get('parentEntity') or '-'} id={element.get('elementID') or name}"
    )
    for child in element.findall("attribute"):
        yield attribute(name, child)
        yield f"I {name}.{child.get('name')} {child.get('elementID') or child.get('name')}"
    for child in element.findall("relationship"):
        yield relationship(name, child)
        yield f"I {name}.{child.get('name')} {child.get('elementID') or child.get('name')}"
    for child in element.findall("fetchedProperty"):
        yield f"F {name}.{child.get('name')}"
    for constraint in element.findall("./uniquenessConstraints/uniquenessConstraint"):
        names = [part.get("value") for part in constraint.findall("constraint")]
        yield f"U {name} {','.join(names)}"


def main():
    for version in sys.argv[1:]:
        root = xml.etree.ElementTree.parse(Path(version) / "contents").getroot()
        print(f"V {version}")
        for element in root.findall("entity"):
            for line in entity(element):
                print(line.replace("\n", " "))


main()
