import { AppError } from '../kernel/errors.ts';
import { shown } from '../kernel/nearest-names.ts';
import { own } from '../kernel/own.ts';
import type { Json, OwnPrompt, OwnResources } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';

/** What our own sources offer a client besides tools. */
export interface Offers {
  readonly prompts: readonly OwnPrompt[];
  readonly resources: readonly OwnResources[];
}

/** A prompt of our own as MCP lists it. */
export const wirePrompt = ({ name, title, description, arguments: taken }: OwnPrompt): Json => ({
  name,
  title,
  description,
  ...(taken.length > 0 && { arguments: taken }),
});

/** The arguments for a prompt, checked. Some clients send "" for a field of their form that was left empty. */
export function promptArguments(prompt: OwnPrompt, given: unknown = {}): Record<string, string> {
  const bad = (why: string) => new AppError('invalid_input', `Invalid params: ${why}`);
  if (!isObject(given)) throw bad('arguments must be an object.');
  const names = prompt.arguments.map(({ name }) => name);
  const checked: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw bad(`${prompt.name} has no argument ${shown(name)}. It takes ${names.join(', ') || 'none'}.`);
    if (typeof value !== 'string') throw bad(`the argument ${name} must be a string.`);
    if (value !== '') checked.push([name, value]);
  }
  const args = Object.fromEntries(checked);
  for (const { name, description, required } of prompt.arguments)
    if (required && own(args, name) === undefined)
      throw bad(`${prompt.name} needs the argument ${name} (${description}).`);
  return args;
}

/** MCP allows no more in one answer. */
const MOST_SUGGESTED = 100;

/** The result of a completion. */
export function suggested(values: readonly string[]): Json {
  const most = values.slice(0, MOST_SUGGESTED);
  return { completion: { values: most, total: values.length, hasMore: values.length > most.length } };
}
