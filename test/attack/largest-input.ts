import type { Json } from '../../src/kernel/source.ts';

/** How texts of any length are filled. */
export type Filling = (characters: number) => string;

const repeated =
  (piece: string): Filling =>
  (characters) =>
    piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);

const letter = (at: number) => String.fromCodePoint(97 + (Math.floor(at) % 26));

/** `Aaa Aab …`: different names, as short as names are. */
export const capitals: Filling = (characters) => {
  let text = '';
  for (let at = 0; text.length < characters; at++)
    text += `${letter(at).toUpperCase()}${letter(at / 26)}${letter(at / 676)} `;
  return text.slice(0, characters);
};

export const fillings: Readonly<Record<string, Filling>> = {
  'capitalised words': capitals,
  emoji: repeated('😀'),
  'one word': repeated('x'),
  brackets: repeated('('),
  expressions: repeated('${a[b(c)]} '),
  lines: repeated('- a: [b]\n'),
};

/** No tool takes more than this in one argument; without a limit of its own, it gets this. */
const LONGEST = 1_000_000;
const MOST_ITEMS = 5000;
const DEEPEST = 6;

export interface Schema extends Json {
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** What fits best into one object: everything that may be said, or only what must be, which then has all the room. */
export type Extent = 'all' | 'required';

/** The largest value that a schema allows, within so many characters altogether. */
export function largest(schema: Schema, fill: Filling, room: number, extent: Extent, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.at(-1);
  const some = schema.anyOf ?? schema.oneOf;
  if (some)
    return largest(
      some.find(({ type }) => type === 'array' || type === 'object') ?? some[0] ?? {},
      fill,
      room,
      extent,
      depth,
    );
  const type = Array.isArray(schema.type) ? (schema.type[0] as string) : schema.type;
  switch (type) {
    case 'integer':
    case 'number':
      return schema.maximum !== undefined && schema.maximum < 1e9 ? schema.maximum : 100;
    case 'boolean':
      return true;
    case 'array': {
      const count = depth > DEEPEST ? 1 : Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS, Math.ceil(room / 4));
      const each = Math.floor(room / count);
      return Array.from({ length: count }, () =>
        largest(schema.items ?? { type: 'string' }, fill, each, extent, depth + 1),
      );
    }
    case 'object':
      return ofObject(schema, fill, room, extent, depth);
    default: {
      const characters = Math.max(1, Math.min(schema.maxLength ?? LONGEST, room));
      // What has a form of its own must fit, or the tool never begins.
      return schema.pattern === undefined ? fill(characters) : 'a'.repeat(Math.min(characters, 60));
    }
  }
}

function ofObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  fill: Filling,
  room: number,
  extent: Extent,
  depth: number,
): Json {
  // A confirmation that nobody gave would only be refused.
  const named = Object.entries(properties).filter(
    ([name]) => name !== 'confirm' && (extent === 'all' || required.includes(name)),
  );
  const free = depth <= DEEPEST && typeof additionalProperties === 'object' ? 200 : 0;
  const each = Math.floor(room / Math.max(1, named.length + free));
  return Object.fromEntries([
    ...named.map(([name, one]) => [name, largest(one, fill, each, extent, depth + 1)]),
    ...Array.from({ length: free }, (_, at) => [
      `key${at}`,
      largest(additionalProperties as Schema, fill, each, extent, depth + 1),
    ]),
  ]) as Json;
}
