#!/usr/bin/env python3
"""Prints what a SQLite file of Apple's Core Data has: objects, values and relationships.

It shares no code with the package, and knows only what is publicly known of Core Data's tables: the
numbers in Z_PRIMARYKEY, a table for each root entity, Z_n tables for pairs, Z_FOK columns for places, and
the archived model in Z_MODELCACHE. Objects are named after their root entity and counted in the order of
their primary keys, because adopted objects get other numbers in the same order.

    reader.py FILE.sqlite

Lines, tabs between the words:
    O  Root#1  Entity
    A  Root#1  attribute  value
    R  Root#1  relationship  Other#1,Other#2     (in order if the relationship is ordered, else sorted)
"""

import decimal
import hashlib
import json
import os
import plistlib
import re
import shutil
import sqlite3
import struct
import sys
import tempfile
import uuid
import zlib

INTEGERS = {100, 200, 300}
DECIMAL, DOUBLE, FLOAT, STRING, BOOLEAN = 400, 500, 600, 700, 800
DATE, BINARY, UUID_TYPE, URI, TRANSFORMABLE = 900, 1000, 1100, 1200, 1800
EXTERNAL = 4


class Archive:
    """A keyed archive, read without making instances of its classes."""

    def __init__(self, data):
        archive = plistlib.loads(data)
        self.objects = archive["$objects"]
        self.root = archive["$top"]["root"]

    def get(self, value):
        """What a reference leads to: text for strings of any class, None for nothing."""
        if isinstance(value, plistlib.UID):
            value = self.objects[value.data]
        if value == "$null":
            return None
        if isinstance(value, dict) and "NS.string" in value:
            return self.get(value["NS.string"])
        return value

    def class_name(self, value):
        return self.get(self.get(value)["$class"])["$classname"]

    def pairs(self, value):
        """The keys and values of a dictionary, values as references."""
        fields = self.get(value)
        if fields is None:
            return []
        if "NS.keys" in fields:
            return [(self.get(k), v) for k, v in zip(fields["NS.keys"], fields["NS.objects"])]
        mapping = self.get(fields["searchMapping"])
        keys = self.get(mapping["keys"])["NS.objects"]
        values = self.get(fields["values"])["NS.objects"]
        return [(self.get(k), v) for k, v in zip(keys, values)]


class Property:
    def __init__(self, name):
        self.name = name
        self.column = None


class Entity:
    def __init__(self, name):
        self.name = name
        self.parent = None
        self.former_name = None
        self.attributes = []
        self.relationships = []

    def root(self):
        return self.parent.root() if self.parent else self

    def chain(self):
        return [self] + (self.parent.chain() if self.parent else [])

    def is_kind_of(self, other):
        return other in self.chain()


def read_model(data):
    """The entities of an archived model, by name; each has the properties that it declares."""
    archive = Archive(data)
    archived = dict(archive.pairs(archive.get(archive.root)["NSEntities"]))
    entities = {name: Entity(name) for name in archived}
    fields_of = {name: archive.get(value) for name, value in archived.items()}
    for name, fields in fields_of.items():
        entities[name].former_name = archive.get(fields.get("NSRenamingIdentifier"))
        parent = archive.get(fields.get("NSSuperentity"))
        if parent:
            entities[name].parent = entities[archive.get(parent["NSEntityName"])]
    for name, fields in fields_of.items():
        for property_name, value in archive.pairs(fields["NSProperties"]):
            kind = archive.class_name(value)
            values = archive.get(value)
            if values.get("NSIsTransient"):
                continue
            inherited = [p.name for e in entities[name].chain()[1:] for p in e.attributes + e.relationships]
            if property_name in inherited:
                continue
            found = Property(property_name)
            if kind == "NSAttributeDescription":
                found.type = values["NSAttributeType"]
                found.is_external = bool(values.get("NSFlagsKey", 0) & EXTERNAL)
                entities[name].attributes.append(found)
            elif kind == "NSDerivedAttributeDescription":
                found.type = None
                entities[name].attributes.append(found)
            elif kind == "NSRelationshipDescription":
                destination = archive.get(values["NSDestinationEntity"])
                found.destination = entities[archive.get(destination["NSEntityName"])]
                found.inverse = archive.get(values.get("_NSInverseRelationshipName")) or None
                found.to_many = values.get("NSMaxCount", 0) != 1
                found.ordered = bool(values.get("NSIsOrdered"))
                found.owner = entities[name]
                entities[name].relationships.append(found)
    return entities


class Store:
    def __init__(self, path):
        self.path = path
        self.folder = tempfile.mkdtemp()
        copy = os.path.join(self.folder, "store")
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, copy + suffix)
        self.db = sqlite3.connect(copy)
        self.db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        self.columns = {
            table: [row[1] for row in self.db.execute('PRAGMA table_info("%s")' % table)]
            for (table,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        self.numbers = dict(self.db.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        (packed,) = self.db.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
        self.entities = read_model(zlib.decompress(packed, -15))
        # A migration leaves an entity its number, and sometimes the name that it had before.
        for entity in self.entities.values():
            if entity.name not in self.numbers and entity.former_name in self.numbers:
                self.numbers[entity.name] = self.numbers.pop(entity.former_name)
        self.ordinals = {}
        for entity in self.entities.values():
            if entity.parent is None and self.table(entity) in self.columns:
                keys = self.db.execute('SELECT Z_PK FROM "%s" ORDER BY Z_PK' % self.table(entity))
                self.ordinals[entity.name] = {key: i + 1 for i, (key,) in enumerate(keys)}
        for entity in self.entities.values():
            if entity.parent is None:
                self.name_columns(entity)

    def close(self):
        self.db.close()
        shutil.rmtree(self.folder)

    def table(self, entity):
        return "Z" + entity.root().name.upper()

    def number(self, entity):
        return self.numbers.get(entity.name, 0)

    def name_columns(self, root):
        """Siblings with properties of one name have columns with a number, by the entities' numbers."""
        family = [e for e in self.entities.values() if e.root() is root]
        taken = set()
        for entity in sorted(family, key=self.number):
            stored = entity.attributes + [r for r in entity.relationships if not r.to_many]
            for found in sorted(stored, key=lambda p: p.name):
                base = "Z" + found.name.upper()
                name, suffix = base, 0
                while name in taken:
                    suffix += 1
                    name = base + str(suffix)
                taken.add(name)
                found.column = name

    def relationship(self, entity, name):
        for ancestor in entity.chain():
            for found in ancestor.relationships:
                if found.name == name:
                    return found
        for other in self.entities.values():
            if other.is_kind_of(entity):
                for found in other.relationships:
                    if found.name == name:
                        return found
        return None

    def label(self, entity, key):
        ordinal = self.ordinals.get(entity.root().name, {}).get(key)
        return None if ordinal is None else "%s#%d" % (entity.root().name, ordinal)

    # Values

    def external(self, value):
        """Data that may lie outside: the first byte tells. None if its file is missing."""
        if value[:1] == b"\x01":
            return value[1:]
        if value[:1] == b"\x02":
            name = value[1:].split(b"\0")[0].decode()
            base = os.path.splitext(os.path.basename(self.path))[0]
            file = os.path.join(os.path.dirname(self.path), ".%s_SUPPORT" % base, "_EXTERNAL_DATA", name)
            if not os.path.exists(file):
                return None
            with open(file, "rb") as data:
                return data.read()
        return value

    def text(self, attribute, value):
        """A value as a word that is the same for equal values; None for nil."""
        if value is None or attribute.type is None:
            return None
        kind = attribute.type
        if kind in INTEGERS:
            return str(int(value))
        if kind == BOOLEAN:
            return "1" if value else "0"
        if kind == FLOAT:
            return struct.pack(">f", float(value)).hex()
        if kind in (DOUBLE, DATE):
            return struct.pack(">d", float(value) + 0.0).hex()
        if kind == DECIMAL:
            number = decimal.Decimal(str(value)).normalize()
            return format(number, "f")
        if kind in (STRING, URI):
            return json.dumps(value, ensure_ascii=True)
        if kind == UUID_TYPE:
            return str(uuid.UUID(bytes=value)).upper()
        if kind in (BINARY, TRANSFORMABLE):
            if isinstance(value, str):
                value = value.encode()
            data = self.external(value) if attribute.is_external else value
            return None if data is None else "%d:%s" % (len(data), hashlib.sha256(data).hexdigest())
        return None

    # Relationships

    def join(self, found):
        """The table of a many-to-many relationship, found by its columns: table, own, other."""
        inverse = self.relationship(found.destination, found.inverse)
        own = re.compile("^Z_%d%s[0-9]*$" % (self.number(found.owner), re.escape(inverse.name.upper())))
        other = re.compile("^Z_%d%s[0-9]*$" % (self.number(inverse.owner), re.escape(found.name.upper())))
        for table, columns in sorted(self.columns.items()):
            if not table.startswith("Z_"):
                continue
            mine = [c for c in columns if own.match(c)]
            theirs = [c for c in columns if other.match(c) or c == "REFLEXIVE"]
            if mine:
                rest = [c for c in theirs if c != mine[0]]
                if rest:
                    return table, mine[0], rest[0]
        return None

    def to_many(self, found):
        """The members of all owners of a relationship: owner's key, member's key, in order."""
        if found.inverse:
            inverse = self.relationship(found.destination, found.inverse)
            if inverse.to_many:
                join = self.join(found)
                if join is None:
                    return []
                table, own, other = join
                place = "Z_FOK_" + other[2:]
                order = place if place in self.columns[table] else other
                sql = 'SELECT "%s", "%s" FROM "%s" ORDER BY 1, "%s", 2' % (own, other, table, order)
                pairs = list(self.db.execute(sql))
                if other == "REFLEXIVE":
                    pairs = sorted(set(pairs) | {(b, a) for a, b in pairs})
                return pairs
            table, column = self.table(found.destination), inverse.column
        else:
            table = self.table(found.destination)
            pattern = re.compile("^Z[0-9]+%s$" % re.escape(found.name.upper()))
            exact = "Z%d%s" % (self.number(found.owner), found.name.upper())
            columns = self.columns.get(table, [])
            candidates = [exact] if exact in columns else [c for c in columns if pattern.match(c)]
            if len(candidates) != 1:
                return []
            column = candidates[0]
        if column not in self.columns.get(table, []):
            return []
        place = "Z_FOK_" + column[1:]
        order = place if place in self.columns[table] else "Z_PK"
        sql = 'SELECT "%s", Z_PK FROM "%s" WHERE "%s" IS NOT NULL ORDER BY 1, "%s", Z_PK'
        return list(self.db.execute(sql % (column, table, column, order)))

    # The dump

    def dump(self, out):
        by_number = {number: self.entities.get(name) for name, number in self.numbers.items()}
        members = {}
        for entity in self.entities.values():
            for found in entity.relationships:
                if found.to_many:
                    for owner, member in self.to_many(found):
                        members.setdefault((found, owner), []).append(member)
        for root in sorted(self.ordinals):
            table = "Z" + root.upper()
            columns = self.columns[table]
            for row in self.db.execute('SELECT * FROM "%s" ORDER BY Z_PK' % table):
                values = dict(zip(columns, row))
                entity = by_number.get(values["Z_ENT"])
                if entity is not None:
                    self.dump_object(entity, values, members, out)

    def dump_object(self, entity, values, members, out):
        name = self.label(entity, values["Z_PK"])
        out.write("O\t%s\t%s\n" % (name, entity.name))
        attributes = [a for e in entity.chain() for a in e.attributes]
        for attribute in sorted(attributes, key=lambda a: a.name):
            text = self.text(attribute, values.get(attribute.column))
            if text is not None:
                out.write("A\t%s\t%s\t%s\n" % (name, attribute.name, text))
        relationships = [r for e in entity.chain() for r in e.relationships]
        for found in sorted(relationships, key=lambda r: r.name):
            if found.to_many:
                keys = members.get((found, values["Z_PK"]), [])
            else:
                key = values.get(found.column)
                keys = [] if key is None else [key]
            labels = [self.label(found.destination, key) for key in keys]
            labels = [label for label in labels if label is not None]
            if not found.ordered:
                labels.sort()
            if labels:
                out.write("R\t%s\t%s\t%s\n" % (name, found.name, ",".join(labels)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    store = Store(os.path.abspath(sys.argv[1]))
    try:
        store.dump(sys.stdout)
    finally:
        store.close()


if __name__ == "__main__":
    main()
