import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { boundedSize } from './bounded-size.ts';
import { memberOf } from './expression.ts';
import { typeOf } from './recent.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const LONGEST_BASE = 50;
const LONGEST_EXAMPLE = 200;
const MOST_INPUTS = 50;

export interface RecipeInput {
  readonly name: string;
  readonly secret: boolean;
  readonly schema: Json;
}

/** The inputs of a recipe: each has a name of its own, and the same secret is asked for once. */
export function createInputs() {
  const all = new Map<string, RecipeInput>();
  const bySecret = new Map<unknown, string>();
  const byChoice = new Map<string, string>();

  function add(input: RecipeInput): string {
    if (all.size >= MOST_INPUTS)
      throw new AppError(
        'invalid_input',
        `These calls would need more than ${MOST_INPUTS} inputs. Save fewer of them.`,
      );
    all.set(input.name, input);
    return memberOf('inputs', [input.name]);
  }

  function freeName(wish: string): string {
    const base =
      wish
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^[^A-Za-z]+|_+$/g, '')
        .slice(0, LONGEST_BASE) || 'secret';
    let name = base;
    for (let number = 2; all.has(name); number++) name = `${base}_${number}`;
    return name;
  }

  return {
    all: (): readonly RecipeInput[] => [...all.values()],
    /** An input that the caller named. */
    named(name: string, value: unknown, secret: boolean): string {
      if (!NAME.test(name))
        throw new AppError(
          'invalid_input',
          `"${name.slice(0, 60)}" cannot be the name of an input. Use letters, digits and underscores, a letter first.`,
        );
      const type = value === null ? {} : { type: typeOf(value) };
      const isShown = !secret && boundedSize(value, LONGEST_EXAMPLE) <= LONGEST_EXAMPLE;
      const schema = { ...type, ...(secret && { secret: true }), ...(isShown && { examples: [value] }) };
      const source = add({ name, secret, schema });
      if (secret) bySecret.set(value, source);
      return source;
    },
    /** The input for something that is chosen at each run. */
    chosen(wish: string, value: unknown, about: string): string {
      const json = JSON.stringify(value);
      const known = byChoice.get(json);
      if (known !== undefined) return known;
      const isShown = boundedSize(value, LONGEST_EXAMPLE) <= LONGEST_EXAMPLE;
      const schema = { type: typeOf(value), description: about, ...(isShown && { examples: [value] }) };
      const source = add({ name: freeName(wish), secret: false, schema });
      byChoice.set(json, source);
      return source;
    },
    /** The input for a secret. `value` is only compared; without one it is not known. */
    secret(wish: string, type: string, about: string, value?: unknown): string {
      const known = value === undefined ? undefined : bySecret.get(value);
      if (known !== undefined) return known;
      const name = freeName(wish);
      const schema = { ...(type !== 'null' && { type }), secret: true, description: about };
      const source = add({ name, secret: true, schema });
      if (value !== undefined) bySecret.set(value, source);
      return source;
    },
  };
}
