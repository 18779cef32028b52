import type { Property } from '../../nodes/description.ts';
import type { Field, NodeView, Subject } from '../subject/subject.ts';

/** A field with a given value, in a node that would run. */
export interface CheckedField extends Field {
  readonly node: NodeView;
}

const nodesOf = new WeakMap<Subject, readonly NodeView[]>();
const givenOf = new WeakMap<Subject, ReadonlyMap<string, readonly CheckedField[]>>();

/** The nodes whose parameters are checked. Skips notes, disabled nodes and nodes that the catalogue does not know. */
export function checkedNodes(subject: Subject): readonly NodeView[] {
  const known = nodesOf.get(subject);
  if (known) return known;
  const nodes = subject.nodes.filter(
    ({ disabled, sticky, summary, description }) => !disabled && !sticky && summary && description,
  );
  nodesOf.set(subject, nodes);
  return nodes;
}

/** The visible fields of these types that have a given value. Cached for all rules. */
export function givenFields(subject: Subject, ...types: readonly string[]): readonly CheckedField[] {
  const byType = givenOf.get(subject) ?? sortByType(subject);
  return types.length === 1 ? (byType.get(types[0] as string) ?? []) : types.flatMap((type) => byType.get(type) ?? []);
}

function sortByType(subject: Subject): ReadonlyMap<string, readonly CheckedField[]> {
  const byType = new Map<string, CheckedField[]>();
  for (const node of checkedNodes(subject)) {
    for (const field of node.fields()) {
      if (!field.given || field.value === undefined) continue;
      const list = byType.get(field.property.type);
      const checked = { ...field, node };
      if (list) list.push(checked);
      else byType.set(field.property.type, [checked]);
    }
  }
  givenOf.set(subject, byType);
  return byType;
}

/** n8n evaluates it when the workflow runs, so its value is unknown here. */
export function isExpression(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('=');
}

/** The options come from the service or the instance, or any value is allowed. */
export function isOpenList({ typeOptions, allowArbitraryValues }: Property): boolean {
  if (allowArbitraryValues) return true;
  return (
    typeOptions !== undefined &&
    (typeOptions.loadOptionsMethod !== undefined ||
      typeOptions.loadOptions !== undefined ||
      typeOptions.allowArbitraryValues === true)
  );
}

export function takesMany({ typeOptions }: Property): boolean {
  return typeOptions?.multipleValues === true;
}

/** n8n itself checks top-level fields and the groups of a top-level fixedCollection, but nothing inside a collection. */
export function isDeep({ path }: Field): boolean {
  return !(path.length === 1 || path.length === 3 || (path.length === 4 && /^\d+$/.test(path[2] as string)));
}
