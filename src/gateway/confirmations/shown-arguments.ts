import { REDACTED, redactNamed } from '../../kernel/redact.ts';
import type { Json, WireTool } from '../../kernel/source.ts';

type Schema = Readonly<Json>;

const LONGEST_TEXT = 1000;
const MOST_ITEMS = 30;
const MOST_VALUES = 1000;
const DEEPEST = 8;
const MOST_SCHEMAS = 100;
const LONGEST = 6000;

interface Shown {
  readonly wire: Pick<WireTool, 'inputSchema'>;
  /** The arguments whose values may be shown; absent: all. */
  readonly recorded?: readonly string[] | undefined;
}

/** The arguments of a call for a person who decides about it: JSON without secrets, cut where it is long. */
export function shownArguments(given: Json, { wire, recorded }: Shown, redact: (text: string) => string): string {
  const allowed = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      recorded && !(recorded.includes(name) && typeof value !== 'object') ? REDACTED : value,
    ]),
  );
  const root = wire.inputSchema as Schema;
  const outline = outlined(allowed, { values: MOST_VALUES });
  // Redact before cutting texts: half a secret must not remain.
  const safe = redactNamed(masked(outline, [root], root), redact);
  const text = JSON.stringify(cut(safe));
  return text.length <= LONGEST ? text : JSON.stringify({ '…': `${text.slice(0, LONGEST)}…` });
}

/** A copy without the values that the schema marks as secret. */
function masked(value: unknown, schemas: readonly Schema[], root: Schema, depth = 0): unknown {
  const known = [...branches(schemas, root)];
  if (known.some(({ format, writeOnly }) => writeOnly === true || format === 'password')) return REDACTED;
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = known.flatMap(({ items: one }) => (isSchema(one) ? [one] : []));
    return value.map((item) => masked(item, items, root, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const fields = known.flatMap(({ properties, additionalProperties: others }) => {
        const own = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : others;
        return isSchema(own) ? [own] : [];
      });
      return [name, masked(inner, fields, root, depth + 1)];
    }),
  );
}

/** The schemas, what they refer to, and their alternatives: a few, since a schema may refer to itself in many ways. */
function branches(schemas: readonly Schema[], root: Schema): Set<Schema> {
  const found = new Set<Schema>(schemas.slice(0, MOST_SCHEMAS));
  for (const { $ref, allOf, anyOf, oneOf } of found) {
    const target = typeof $ref === 'string' ? referred($ref, root) : undefined;
    for (const one of [target, allOf, anyOf, oneOf].flat().slice(0, MOST_SCHEMAS)) {
      if (found.size === MOST_SCHEMAS) return found;
      if (isSchema(one)) found.add(one);
    }
  }
  return found;
}

function referred(pointer: string, root: Schema): unknown {
  if (!pointer.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of pointer.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The beginning of each list and object: however much there is, no more than a person reads is looked at. */
function outlined(value: unknown, left: { values: number }, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST || left.values <= 0) return '…';
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  const kept = names.slice(0, Math.min(MOST_ITEMS, left.values));
  left.values -= kept.length;
  const more = names.length - kept.length;
  const inside = kept.map((name) => [name, outlined((value as Json)[name], left, depth + 1)] as const);
  if (isList) return [...inside.map(([, inner]) => inner), ...(more > 0 ? [`… and ${more} more`] : [])];
  return Object.fromEntries([...inside, ...(more > 0 ? [['…', `and ${more} more`] as const] : [])]);
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(cut);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.slice(0, LONGEST_TEXT), cut(inner)] as const),
  );
}
