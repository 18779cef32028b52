import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Callable } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { isPassword } from '../../n8n/templates/export/secret-words.ts';
import { type Path, pathText } from '../definition/finding.ts';
import { literal, templateWith, whole } from './expression.ts';
import { type RecentCall, typeOf } from './recent.ts';
import { createInputs, type RecipeInput } from './recipe-inputs.ts';
import { placesOf } from './replaceable.ts';
import { createResults } from './results.ts';
import { holdsSecret, isPlain, isSecretName, type SecretKnowledge } from './secret-values.ts';
import { identifierPlaces, statementKind } from './statement.ts';
import { createStepIds } from './step-ids.ts';

const DEEPEST = 40;
/** Shorter ones occur in other texts by chance. */
const SHORTEST_SECRET_WITHIN = 4;

export interface Wish {
  readonly name: string;
  readonly description?: string | undefined;
  /** In the order in which they were made. */
  readonly calls: readonly RecentCall[];
  /** Values that become inputs, by the name of the input. */
  readonly inputs: ReadonlyMap<string, unknown>;
}

export interface Composed {
  readonly text: string;
  readonly inputs: readonly RecipeInput[];
  /** `memory_store.content: ${inputs.team}`: what became what. */
  readonly replaced: readonly string[];
}

interface Around extends SecretKnowledge {
  tool(name: string): Callable | undefined;
}

interface Leaf {
  readonly tool: string;
  readonly path: Path;
  /** The nearest key. */
  readonly name: string;
  /** Whether a key above it says that it is a secret. */
  readonly secret: boolean;
  readonly statement: 'sql' | 'cypher' | undefined;
}

/** Turns calls into the YAML of a recipe. No secret of the calls is in it. */
export function compose({ name, description, calls, inputs: wanted }: Wish, around: Around): Composed {
  const inputs = createInputs();
  const results = createResults();
  const idOf = createStepIds();
  const replaced: string[] = [];
  const made = calls.map((call) => ({ call, id: idOf(call.tool), given: argumentsOf(call, around) }));
  const secrets = secretsIn(made, around);
  const longSecrets = [...secrets].filter((one) => typeof one === 'string' && one.length >= SHORTEST_SECRET_WITHIN);
  const containsSecret = (text: string) => longSecrets.some((secret) => text.includes(secret as string));
  const isSecret = (value: unknown, under: string) =>
    secrets.has(value) ||
    isSecretName(under) ||
    (typeof value === 'string' && (containsSecret(value) || holdsSecret(value, under, around)));
  const asked = [...wanted].map(([input, value]) => ({
    value,
    source: inputs.named(input, value, isSecret(value, input)),
    input,
    used: false,
  }));
  const texts = asked.flatMap((one) => (typeof one.value === 'string' ? [{ ...one, value: one.value }] : []));

  function use(source: string): string {
    for (const one of asked) if (one.source === source) one.used = true;
    return source;
  }

  /** The expression that stands for the whole value. */
  function sourceOf(value: unknown, { name: key, path, tool, secret }: Leaf): string | undefined {
    const wish = asked.find((one) => isDeepStrictEqual(one.value, value));
    if (wish) return use(wish.source);
    const before = results.sourceOf(value, key);
    if (before !== undefined) return before;
    const hides = secret || secrets.has(value) || (typeof value === 'string' && containsSecret(value));
    if (!hides || (isPlain(value) && !secrets.has(value))) return undefined;
    return inputs.secret(key, typeOf(value), `For ${pathText(path)} of ${tool}`, value);
  }

  function statementFrom(text: string, { statement, tool, path }: Leaf): string {
    if (secrets.has(text) || containsSecret(text))
      throw new AppError(
        'invalid_input',
        `${pathText(path)} of ${tool} has a secret in the statement, and no value can be put into a statement later. Pass it in params, call the tool again, and save that call.`,
      );
    if (statement === 'cypher') return literal(text);
    const places = texts.flatMap(({ value, source }) =>
      identifierPlaces(text, value).map((place) => ({ ...place, source: `ident(${source})`, of: source })),
    );
    places.sort((a, b) => a.start - b.start);
    const apart = places.filter((one, index) => one.start >= (places[index - 1]?.end ?? 0));
    for (const { of } of apart) use(of);
    return templateWith(text, apart);
  }

  function textFrom(text: string, leaf: Leaf): string {
    if (leaf.statement) return statementFrom(text, leaf);
    const source = sourceOf(text, leaf);
    if (source !== undefined) return whole(source);
    const places = placesOf(text, texts);
    for (const place of places) use(place.source);
    return templateWith(text, places);
  }

  function valueFrom(value: unknown, leaf: Leaf): unknown {
    if (typeof value === 'string') {
      const text = textFrom(value, leaf);
      if (text !== literal(value)) replaced.push(`${leaf.tool}.${pathText(leaf.path)}: ${text}`);
      return text;
    }
    const source = value === null ? undefined : sourceOf(value, leaf);
    if (source !== undefined) {
      replaced.push(`${leaf.tool}.${pathText(leaf.path)}: ${whole(source)}`);
      return whole(source);
    }
    return mapped(value, leaf, valueFrom);
  }

  const steps = made.map(({ call, id, given }) => {
    const filled = mapped(given, leafOf(call.tool), valueFrom) as Json;
    for (const { name: key, type } of call.withheld) {
      const source = whole(inputs.secret(key, type, `For ${key} of ${call.tool}`));
      Object.defineProperty(filled, key, { value: source, enumerable: true });
      replaced.push(`${call.tool}.${key}: ${source}`);
    }
    results.add(id, given, call);
    return { id, tool: call.tool, arguments: filled };
  });
  const idle = asked.find(({ used }) => !used);
  if (idle)
    throw new AppError(
      'invalid_input',
      `The value of the input ${idle.input} is in none of these calls where it can be replaced. Give the value as the calls had it, or leave the input out.`,
    );
  const last = steps.at(-1);
  const schemas = inputs.all();
  const definition = {
    name,
    ...(description !== undefined && { description }),
    ...(schemas.length > 0 && { inputs: Object.fromEntries(schemas.map((one) => [one.name, one.schema])) }),
    steps,
    ...(last && { outputs: { result: whole(`steps.${last.id}.result`) } }),
    // Nothing says how to undo these steps, and so a run can be resumed where it failed.
    on_failure: 'keep',
  };
  const text = stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false });
  const said = `${name} ${description ?? ''}`;
  const isTold = containsSecret(said) || holdsSecret(said, '', around) || around.holdsRevealed(text);
  if (isTold || around.redact(text) !== text)
    throw new AppError(
      'invalid_input',
      'The recipe would contain a secret, perhaps in its name or description. Nothing was saved.',
    );
  return { text, inputs: schemas, replaced };
}

const leafOf = (tool: string): Leaf => ({ tool, path: [], name: '', secret: false, statement: undefined });

/** The arguments as the tool got them, without a token that confirmed the call. */
function argumentsOf(call: RecentCall, { tool }: Around): Json {
  if (!call.arguments)
    throw new AppError(
      'invalid_input',
      `The arguments of call ${call.number} (${call.tool}) were too large to be kept, so it cannot be saved. Leave it out.`,
    );
  const entry = tool(call.tool)?.entry;
  const given = entry?.meant?.(call.arguments) ?? call.arguments;
  const isOwn = !entry?.declaresConfirm && Object.hasOwn(entry?.wire.inputSchema.properties ?? {}, 'confirm');
  if (isOwn || typeof given.confirm !== 'string') return given;
  const { confirm: _, ...rest } = given;
  return rest;
}

/** Everything in the arguments that is a secret. */
function secretsIn(
  made: readonly { readonly call: RecentCall; readonly given: Json }[],
  around: Around,
): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const look = (value: unknown, leaf: Leaf): unknown => {
    if (typeof value === 'string') {
      if (value !== '' && (leaf.secret || holdsSecret(value, leaf.name, around))) found.add(value);
    } else if (typeof value === 'number') {
      if (isPassword(leaf.name)) found.add(value);
    } else mapped(value, leaf, look);
    return undefined;
  };
  for (const { call, given } of made) {
    const keys = [...keysOf(given), ...call.withheld.map(({ name }) => name)];
    const bad = keys.find((key) => key === '__proto__' || holdsSecret(key, '', around));
    if (bad !== undefined)
      throw new AppError(
        'invalid_input',
        `Call ${call.number} (${call.tool}) has an argument whose name ${bad === '__proto__' ? 'is __proto__' : 'looks like a secret'}. A recipe cannot hold it.`,
      );
    mapped(given, leafOf(call.tool), look);
  }
  return found;
}

function keysOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const inner = Object.values(value).flatMap((one) => keysOf(one, depth + 1));
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

/** A list or an object with each of its values replaced. */
function mapped(value: unknown, leaf: Leaf, replace: (value: unknown, leaf: Leaf) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (leaf.path.length >= DEEPEST)
    throw new AppError(
      'invalid_input',
      `The arguments of ${leaf.tool} are nested more than ${DEEPEST} levels deep. Leave this call out.`,
    );
  if (Array.isArray(value)) return value.map((one, index) => replace(one, { ...leaf, path: [...leaf.path, index] }));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const inner: Leaf = {
        ...leaf,
        path: [...leaf.path, key],
        name: key,
        secret: leaf.secret || isSecretName(key),
        statement: statementKind(key, leaf.tool) ?? leaf.statement,
      };
      return [key, replace(one, inner)];
    }),
  );
}
