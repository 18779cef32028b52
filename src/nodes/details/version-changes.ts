import type { DisplayOptions, NodeDescription, Ports, Property } from '../description.ts';
import { type About, aboutNode, isShown } from '../configuration/display.ts';
import { inWords } from './conditions.ts';
import { choicesOf, walk } from './walk.ts';

export interface Change {
  readonly change: 'added' | 'removed' | 'changed';
  /** A parameter, or `inputs`, `outputs`, `credentials`. */
  readonly path: string;
  readonly detail: string;
}

/** A parameter in one version. Several of the same name are merged, because only one of them is shown at a time. */
interface Seen {
  readonly types: Set<string>;
  readonly defaults: Set<string>;
  readonly options: Set<string>;
  readonly ways: Set<string>;
  required: boolean;
}

/** The differences between two versions of a node, for moving a workflow from one to the other. */
export function changesBetween(
  from: { readonly description: NodeDescription; readonly version: number },
  to: { readonly description: NodeDescription; readonly version: number },
): Change[] {
  const before = seenIn(from.description, from.version);
  const after = seenIn(to.description, to.version);
  const changes: Change[] = [];
  const gone = [...before].filter(([path]) => !after.has(path));
  const come = [...after].filter(([path]) => !before.has(path));
  for (const [path, seen] of outermost(come)) changes.push({ change: 'added', path, detail: told(seen) });
  for (const [path, seen] of outermost(gone)) changes.push({ change: 'removed', path, detail: told(seen) });
  for (const [path, seen] of after) {
    const old = before.get(path);
    const detail = old && difference(old, seen);
    if (detail) changes.push({ change: 'changed', path, detail });
  }
  const lists = [
    ['inputs', portsOf(from.description.inputs), portsOf(to.description.inputs)],
    ['outputs', portsOf(from.description.outputs), portsOf(to.description.outputs)],
    ['credentials', credentialsOf(from.description, from.version), credentialsOf(to.description, to.version)],
  ] as const;
  for (const [path, old, now] of lists) {
    if (old !== now) changes.push({ change: 'changed', path, detail: `${old || 'none'} → ${now || 'none'}` });
  }
  return changes;
}

/** Drops fields whose parent was added or removed as a whole. */
function outermost(list: readonly (readonly [string, Seen])[]): readonly (readonly [string, Seen])[] {
  const paths = new Set(list.map(([path]) => path));
  return list.filter(([path]) => {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (paths.has(path.slice(0, dot).replace(/\[\]$/, ''))) return false;
    }
    return true;
  });
}

function seenIn(description: NodeDescription, version: number): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  const about = aboutNode(description, version);
  for (const { path, property, within } of walk(description.properties)) {
    if (![...within, property].every(({ displayOptions }) => inVersion(displayOptions, about))) continue;
    let one = seen.get(path);
    if (!one) {
      one = { types: new Set(), defaults: new Set(), options: new Set(), ways: new Set(), required: false };
      seen.set(path, one);
    }
    one.types.add(property.type);
    one.defaults.add(JSON.stringify(property.default ?? null));
    for (const { value, displayOptions } of choicesOf(property)) {
      if (inVersion(displayOptions, about)) one.options.add(String(value));
    }
    one.ways.add(inWords(withoutVersion(property)) ?? '');
    one.required ||= property.required === true;
  }
  return seen;
}

function withoutVersion({ displayOptions }: Property): DisplayOptions | undefined {
  if (!displayOptions) return undefined;
  const kept = (rules: DisplayOptions['show']) =>
    Object.fromEntries(Object.entries(rules ?? {}).filter(([key]) => key !== '@version' && key !== '@feature'));
  return { show: kept(displayOptions.show), hide: kept(displayOptions.hide) };
}

function difference(old: Seen, now: Seen): string | undefined {
  const parts: string[] = [];
  if (joined(old.types) !== joined(now.types)) parts.push(`type ${joined(old.types)} → ${joined(now.types)}`);
  if (joined(old.defaults) !== joined(now.defaults)) {
    parts.push(`default ${cut(joined(old.defaults))} → ${cut(joined(now.defaults))}`);
  }
  const added = [...now.options].filter((option) => !old.options.has(option));
  const removed = [...old.options].filter((option) => !now.options.has(option));
  if (added.length > 0) parts.push(`options added: ${cut(added.join(', '))}`);
  if (removed.length > 0) parts.push(`options removed: ${cut(removed.join(', '))}`);
  if (old.required !== now.required) parts.push(now.required ? 'now required' : 'no longer required');
  if (parts.length === 0 && joined(old.ways) !== joined(now.ways)) parts.push('shown under other conditions');
  return parts.length === 0 ? undefined : parts.join('; ');
}

function told({ types, defaults, options, required }: Seen): string {
  const [only] = defaults;
  return [
    joined(types),
    ...(required ? ['required'] : []),
    ...(defaults.size === 1 && only !== 'null' && only !== '""' ? [`default ${cut(only as string)}`] : []),
    ...(options.size > 0 ? [`one of ${cut([...options].join(', '))}`] : []),
  ].join(', ');
}

const joined = (set: ReadonlySet<string>): string => [...set].sort().join(' | ');

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

function portsOf(ports: Ports): string {
  if (typeof ports === 'string') return 'computed from the parameters';
  return ports
    .map((port) =>
      typeof port === 'string' ? port : port.displayName ? `${port.type} (${port.displayName})` : port.type,
    )
    .join(', ');
}

function credentialsOf(description: NodeDescription, version: number): string {
  const about = aboutNode(description, version);
  const there = (description.credentials ?? []).filter(({ displayOptions }) => inVersion(displayOptions, about));
  return [...new Set(there.map(({ name }) => name))].sort().join(', ');
}

/** Checks only the version condition. */
function inVersion(options: DisplayOptions | undefined, about: About): boolean {
  if (!options) return true;
  return isShown({ show: versioned(options.show), hide: versioned(options.hide) }, {}, {}, about);
}

const versioned = (rules: DisplayOptions['show'] = {}): Record<string, readonly unknown[]> =>
  Object.fromEntries(Object.entries(rules).filter(([key]) => key === '@version' || key === '@feature'));
