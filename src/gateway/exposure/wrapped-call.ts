import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../kernel/errors.ts';
import { sentences } from '../../kernel/nearest-names.ts';
import { own } from '../../kernel/own.ts';
import { unknownKeys } from '../../kernel/input-words.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Registered } from '../registry.ts';

/** The names of a wrapper's own parameters: `<source>_call {tool, params}`, `call_tool {name, arguments}`. */
export interface WrapperKeys {
  readonly tool: 'tool' | 'name';
  readonly packed: 'params' | 'arguments';
}

/** Other names that models use for them. */
const TOOL = ['tool', 'name', 'tool_name'];
const PACKED: ReadonlySet<string> = new Set(['params', 'arguments', 'args', 'input', 'parameters']);

/** The key that names the tool: the wrapper's own, or another common one if its value is the name of a tool. */
export function toolKey(args: Json, keys: WrapperKeys, isTool: (name: string) => boolean): string {
  if (own(args, keys.tool) !== undefined) return keys.tool;
  const other = TOOL.find((key) => {
    const name = own(args, key);
    return typeof name === 'string' && isTool(name);
  });
  return other ?? keys.tool;
}

/**
 * The arguments of the inner tool, however the model packed them: under the wrapper's key, under another common key, or
 * beside the name of the tool. Unknown keys are refused: if they were ignored, the model would not notice that the
 * answer is to another question. `takesMore`: the tool was called by a former name, and may have had other keys then.
 */
export function wrappedCall(
  wrapper: string,
  keys: WrapperKeys,
  args: Json,
  named: string,
  tool: Registered,
  takesMore = false,
): { arguments: Json; confirm: unknown } {
  const parameters = isObject(tool.wire.inputSchema.properties) ? tool.wire.inputSchema.properties : {};
  const declares = (key: string) => Object.hasOwn(parameters, key);
  const takesToken = !declares('confirm') || tool.entry.declaresConfirm === true;
  const packs = new Map<string, Json>();
  const flat = new Map<string, unknown>();
  const unknown: string[] = [];
  let confirm: unknown;
  for (const [key, value] of Object.entries(args)) {
    if (key === named || value === undefined) continue;
    if (key === 'confirm' && (takesToken || typeof value === 'string')) confirm = value;
    else if (key === keys.packed) takeOwn(key, value);
    else if (declares(key)) flat.set(key, value);
    else if (PACKED.has(key)) packs.set(key, packed(key, value, tool));
    else if (takesMore || tool.entry.takesMore) flat.set(key, value);
    else unknown.push(key);
  }

  /** The tool may have its own parameter of this name. */
  function takeOwn(key: string, value: unknown): void {
    if (declares(key) && objectIn(value) === undefined) flat.set(key, value);
    else packs.set(key, packed(key, value, tool));
  }

  if (packs.has(keys.packed) && declares(keys.packed) && flat.size > 0) {
    throw new AppError(
      'invalid_input',
      `${tool.name} was not called: it has a parameter "${keys.packed}" of its own. Put all its arguments into "${keys.packed}", including that one.`,
    );
  }
  if (unknown.length > 0) throw unknownParameters(wrapper, keys, unknown, tool, Object.keys(parameters));
  return { arguments: merged(packs, flat, tool), confirm };
}

function merged(packs: ReadonlyMap<string, Json>, flat: ReadonlyMap<string, unknown>, tool: Registered): Json {
  const given = [...packs].filter(([, pack]) => Object.keys(pack).length > 0);
  const [first, ...others] = given;
  const other = others.find(([, pack]) => !isDeepStrictEqual(pack, first?.[1]));
  if (first && other) {
    throw new AppError(
      'invalid_input',
      `${tool.name} was not called: "${first[0]}" and "${other[0]}" differ. Give its arguments once.`,
    );
  }
  const pack = first?.[1] ?? {};
  for (const [key, value] of flat) {
    if (Object.hasOwn(pack, key) && !isDeepStrictEqual(own(pack, key), value)) {
      throw new AppError(
        'invalid_input',
        `${tool.name} was not called: "${key}" is in "${first?.[0]}" and beside it, with different values. Give it once.`,
      );
    }
  }
  return { ...pack, ...Object.fromEntries(flat) };
}

function packed(key: string, value: unknown, tool: Registered): Json {
  const object = value === null ? {} : objectIn(value);
  if (object) return object;
  throw new AppError('invalid_input', `"${key}" must be an object with the arguments of ${tool.name}.`);
}

/** An object, or a string of JSON that is one. */
function objectIn(value: unknown): Json | undefined {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function unknownParameters(
  wrapper: string,
  keys: WrapperKeys,
  unknown: readonly string[],
  { name, entry }: Registered,
  parameters: readonly string[],
): AppError {
  const takeable = parameters.filter((key) => key !== 'confirm' || !entry.declaresConfirm);
  return new AppError(
    'invalid_input',
    sentences(
      `${name} was not called: ${unknownKeys(unknown, takeable)}${takeable.length === 0 ? ' It declares no parameters' : ''}.`,
      `${wrapper} expects {"${keys.tool}": "…", "${keys.packed}": {…}}.`,
    ),
  );
}

/** Throws on keys that a wrapper with these parameters does not have. */
export function refuseUnknown(wrapper: string, args: Json, parameters: readonly string[], hint = ''): void {
  const unknown = Object.keys(args).filter((key) => !parameters.includes(key));
  if (unknown.length === 0) return;
  throw new AppError('invalid_input', `${wrapper}: ${unknownKeys(unknown, parameters)}.${hint}`);
}
