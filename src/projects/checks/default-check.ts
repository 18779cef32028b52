import type { z } from 'zod';
import type { Json } from '../../kernel/source.ts';
import type { Item, Kind } from '../project.ts';
import type { Ask } from '../status/asking.ts';
import type { Seen } from '../status/seen.ts';

/** How the items of a kind are checked that bring no check of their own. To add a kind, add one to `defaultChecks`. */
export interface DefaultCheck {
  readonly kind: Kind;
  /** What to do if the tool does not exist. */
  absent(item: Item): Pick<Seen, 'seen' | 'next'>;
  tool(item: Item): string;
  arguments(item: Item): Json;
  /** What to ask if the tool says that there is no such thing. */
  otherwise?(item: Item): { readonly tool: string; readonly arguments: Json };
  /** Undefined if the answer is not what this tool answers. `ask` is for what one call does not tell. */
  read(data: Json, item: Item, ask: Ask): Promise<Seen | undefined>;
}

/** Types `read` by the part of the answer that it uses. */
export function defaultCheck<T extends z.ZodType>(check: {
  readonly kind: Kind;
  absent: DefaultCheck['absent'];
  tool: DefaultCheck['tool'];
  arguments: DefaultCheck['arguments'];
  otherwise?: NonNullable<DefaultCheck['otherwise']>;
  readonly answer: T;
  read(answer: z.output<T>, item: Item, ask: Ask): Seen | Promise<Seen>;
}): DefaultCheck {
  const { answer, read, ...rest } = check;
  return {
    ...rest,
    async read(data, item, ask) {
      const parsed = answer.safeParse(data);
      return parsed.success ? await read(parsed.data, item, ask) : undefined;
    },
  };
}

/** The name of a module's tool: `docker_inspect_container`, or `docker-nas_inspect_container` of the source docker-nas. */
export const toolOf = ({ source }: Item, type: string, tool: string): string => `${source ?? type}_${tool}`;

export const moduleAbsent =
  (type: string, what = type) =>
  ({ source }: Item): Pick<Seen, 'seen' | 'next'> => ({
    seen: `nothing here knows ${what}`,
    next: `Configure modules.${source ?? type} in sluice.yaml, or give the item a check of its own.`,
  });
