import type { Group, Property } from '../../nodes/description.ts';
import { pointer } from '../json/json-pointer.ts';
import { isRecord, type Rec } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';
import { takesMany } from './checked-fields.ts';

/** One object of parameters, with all its possible properties, visible or not. */
export interface Level {
  readonly given: Rec;
  readonly pointer: string;
  readonly properties: readonly Property[];
  /** Its name in a message: the field that it is in. */
  readonly of: string;
  readonly top: boolean;
}

/** The top-level parameters, and those in every visible collection and group. */
export function levelsOf(node: NodeView): readonly Level[] {
  const known = levels.get(node);
  if (known) return known;
  const found = findLevels(node);
  levels.set(node, found);
  return found;
}

const levels = new WeakMap<NodeView, readonly Level[]>();
const places = new WeakMap<NodeView, ReadonlySet<string>>();
const names = new WeakMap<readonly Property[], ReadonlySet<string>>();

/** The pointers of all visible fields. */
export function shownPlaces(node: NodeView): ReadonlySet<string> {
  let found = places.get(node);
  if (!found) places.set(node, (found = new Set(node.fields().map((field) => field.pointer))));
  return found;
}

/** All names, in any configuration. Cached for each description. */
export function namesAt({ properties }: Level): ReadonlySet<string> {
  let found = names.get(properties);
  if (!found) names.set(properties, (found = new Set(properties.map(({ name }) => name))));
  return found;
}

function findLevels(node: NodeView): Level[] {
  const properties = node.description?.properties ?? [];
  const found: Level[] = [
    { given: node.parameters, pointer: pointer(node.pointer, 'parameters'), properties, of: '', top: true },
  ];
  for (const field of node.fields()) {
    const { property, value, given } = field;
    if (!given) continue;
    if (property.type === 'collection') {
      const fields = (property.options ?? []) as readonly Property[];
      const level = { pointer: field.pointer, properties: fields, of: property.name, top: false };
      if (isRecord(value)) found.push({ ...level, given: value });
    } else if (property.type === 'fixedCollection' && isRecord(value)) {
      for (const group of (property.options ?? []) as readonly Group[]) {
        if (!Object.hasOwn(value, group.name)) continue;
        const at = pointer(field.pointer, group.name);
        const level = { properties: group.values ?? [], of: `${property.name}.${group.name}`, top: false };
        const items = value[group.name];
        if (takesMany(property) && Array.isArray(items)) {
          items.forEach((item: unknown, index) => {
            if (isRecord(item)) found.push({ ...level, given: item, pointer: pointer(at, index) });
          });
        } else if (!takesMany(property) && isRecord(items)) found.push({ ...level, given: items, pointer: at });
      }
    }
  }
  return found;
}

/** An empty value is left over from the editor, not a setting. */
export function saysNothing(value: unknown): boolean {
  return (
    value === '' ||
    value === null ||
    value === undefined ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
