import { isDeepStrictEqual } from 'node:util';
import type { Callable } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { pathText } from '../definition/finding.ts';
import { literal, templateWith, whole } from './expression.ts';
import { type KnownSecrets, knownSecrets } from './known-secrets.ts';
import { DEEPEST, type Leaf, leafOf, mapped } from './leaf.ts';
import { type RecentCall, typeOf } from './recent.ts';
import { createInputs, type RecipeInput } from './recipe-inputs.ts';
import { placesOf } from './replaceable.ts';
import { createResults } from './results.ts';
import { isPlain, isSecretName, type SecretKnowledge } from './secret-values.ts';
import { identifierPlaces } from './statement.ts';
import { createStepIds } from './step-ids.ts';
import { yamlText } from './yaml-text.ts';

export interface Wish {
  readonly name: string;
  readonly description?: string | undefined;
  /** In the order in which they were made. */
  readonly calls: readonly RecentCall[];
  /** All calls of the conversation: what was a secret in one of them is a secret in the recipe. */
  readonly conversation: readonly RecentCall[];
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

/** Turns calls into the YAML of a recipe. No secret of the calls is in it. */
export function compose({ name, description, calls, conversation, inputs: wanted }: Wish, around: Around): Composed {
  const inputs = createInputs();
  const results = createResults();
  const idOf = createStepIds();
  const replaced: string[] = [];
  const made = calls.map((call) => ({ call, id: idOf(call.tool), given: argumentsOf(call, around) }));
  const secrets = knownSecrets(calls, conversation, around);
  for (const { call, given } of made) checkNames(call, given, secrets);
  const isSecret = (value: unknown, { name: key, secret }: Leaf): boolean =>
    secrets.has(value) || (!isPlain(value) && (secret || (typeof value === 'string' && secrets.areIn(value, key))));
  /** Also of what is in a list or an object: a wanted input is one as a whole. */
  function hidesSecret(value: unknown, leaf: Leaf): boolean {
    if (isSecret(value, leaf)) return true;
    let found = false;
    mapped(value, leaf, (one, inner) => void (found ||= hidesSecret(one, inner)));
    return found;
  }
  const asked = [...wanted].map(([input, value]) => ({
    value,
    source: inputs.named(input, value, isSecretName(input) || hidesSecret(value, { ...leafOf(input), name: input })),
    input,
    used: false,
  }));
  const texts = asked.flatMap((one) => (typeof one.value === 'string' ? [{ ...one, value: one.value }] : []));

  function use(source: string): string {
    for (const one of asked) if (one.source === source) one.used = true;
    return source;
  }

  /** The expression that stands for the whole value. */
  function sourceOf(value: unknown, leaf: Leaf): string | undefined {
    const { name: key, path, tool } = leaf;
    const isData = typeof value === 'object';
    const wish = asked.find((one) => (isData ? isDeepStrictEqual(one.value, value) : one.value === value));
    if (wish) return use(wish.source);
    const before = results.sourceOf(value, key);
    if (before !== undefined) return before;
    const about = `For ${pathText(path)} of ${tool}`;
    if (isSecret(value, leaf)) return inputs.secret(key, typeOf(value), about, value);
    const isChoice = (one: unknown) => results.isChoice(one, key);
    const isChosen = Array.isArray(value) ? value.length > 0 && value.every(isChoice) : isChoice(value);
    return isChosen ? inputs.chosen(key, value, `${about}: one of several that an earlier call found`) : undefined;
  }

  function statementFrom(text: string, { statement, tool, path, name: key }: Leaf): string {
    if (secrets.areIn(text, key))
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
      Object.defineProperty(filled, key, { value: source, enumerable: true, writable: true, configurable: true });
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
  const text = yamlText(definition);
  const said = `${name} ${description ?? ''}`;
  const isTold = secrets.areIn(said, '') || around.holdsRevealed(text);
  if (isTold || around.redact(text) !== text)
    throw new AppError(
      'invalid_input',
      'The recipe would contain a secret, perhaps in its name or description. Nothing was saved.',
    );
  return { text, inputs: schemas, replaced };
}

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

/** Names stay as they are, so they must be harmless. */
function checkNames({ number, tool, withheld }: RecentCall, given: Json, secrets: KnownSecrets): void {
  const keys = new Set([...keysOf(given), ...withheld.map(({ name }) => name)]);
  const bad = keys.values().find((key) => key === '__proto__' || secrets.areIn(key, ''));
  if (bad === undefined) return;
  throw new AppError(
    'invalid_input',
    `Call ${number} (${tool}) has an argument whose name ${bad === '__proto__' ? 'is __proto__' : 'looks like a secret'}. A recipe cannot hold it.`,
  );
}

function keysOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const inner = Object.values(value).flatMap((one) => keysOf(one, depth + 1));
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}
