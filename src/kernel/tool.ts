import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Effect, hints } from './effect.ts';
import { asOneObject } from './lean-schema.ts';
import { scopeFor } from './principal.ts';
import type { Progress } from './progress.ts';
import type { CallContext, Json, WireTool } from './source.ts';

export interface Tool<Deps, I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  /**
   * Names under which it can also be called, but is not listed: former names of this tool or of tools merged into it.
   * Each converts the arguments of that time.
   */
  readonly aliases?: Readonly<Record<string, (given: Json) => Json>>;
  /** Callable, but not listed. */
  readonly unlisted?: boolean;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /**
   * The effect of a call with these arguments, for a tool that can read as well as change: who may only read, may make the
   * calls that read. `effect` is the worst that it can have; without arguments this returns the least.
   */
  readonly effectOf?: (given: Json) => Effect;
  /** Asks before it runs, as deletes do: for what cannot be taken back, such as merging or publishing. */
  readonly confirms?: true;
  /**
   * Changes nothing in the service, so a module offers it in read-only mode, too. Its effect is not `read`: whoever allows
   * all reads does not allow it with them.
   */
  readonly inReadOnly?: true;
  readonly scope: string;
  readonly input: I;
  /** Whether it accepts keys that are not in its schema, such as those of an export, and checks unknown keys itself. */
  readonly takesMore?: boolean;
  /**
   * The arguments whose values events may have; of others they have the names only. For tools that are given secrets,
   * which callers may also pass under a wrong name. Absent: all.
   */
  readonly recorded?: readonly string[];
  readonly output: O;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** When and how to use it, for a reader who plans several calls. */
  readonly guidance?: string;
  /** What people say when they want this tool, separated by semicolons. The search uses them; they are not listed. */
  readonly phrases?: string;
  readonly examples?: readonly { title: string; arguments: z.input<I> }[];
  /**
   * Sentences about what the call would do, for whoever confirms it: what is deleted and what depends on it. Runs
   * before anyone is asked, and throws what would make the call fail. Undefined if nothing would be deleted.
   */
  preview?(input: z.output<I>, deps: Deps, context: CallContext): Promise<string | undefined>;
  /** What a confirmation holds for besides the arguments: if it changes meanwhile, the user is asked again. */
  bound?(input: z.output<I>, deps: Deps, context: CallContext): Promise<string>;
  run(input: z.output<I>, deps: Deps, context: CallContext, progress: Progress): Promise<z.input<O> | Written>;
}

/** An output that is JSON text already and is passed on unchanged. The tool guarantees that it matches the schema. */
export class Written {
  readonly json: string;
  /** The text as a JSON string, which the message also needs. */
  readonly quoted: string;

  constructor(json: string, quoted = JSON.stringify(json)) {
    this.json = json;
    this.quoted = quoted;
  }
}

/** For an alias that takes the same arguments. */
export const sameArguments = (given: Json): Json => given;

/** A tool in a list, without its input type. */
export type AnyTool<Deps> = Tool<Deps, z.ZodType<never>>;

/** The same with its output, for callers in this program. */
export type ToolWith<Deps, O extends z.ZodType> = Tool<Deps, z.ZodType<never>, O>;
export type OutputOf<T extends { readonly output: z.ZodType }> = z.output<T['output']>;

/** What the tools of one family have in common. */
export interface Family {
  readonly category: string;
  readonly tags?: readonly string[];
  /** The scope a tool needs if it names none; default `<category>:<verb>`. */
  scope?(effect: Effect): string;
}

type Shared = 'category' | 'scope' | 'tags';

/** A tool without the fields that its family provides. */
export type OfFamily<T extends Pick<AnyTool<never>, Shared>> = Omit<T, Shared> & Partial<Pick<T, Shared>>;

/** `const redisTool = toolsFor<{ redis: Redis }>({ category: 'redis' })` narrows what a family of tools may use. */
export function toolsFor<Deps>({ scope, ...family }: Family) {
  const scopeOf = scope ?? ((effect: Effect) => scopeFor(family.category, effect));
  return <I extends z.ZodType, O extends z.ZodType>(tool: OfFamily<Tool<Deps, I, O>>): ToolWith<Deps, O> =>
    ({ ...family, scope: scopeOf(tool.effect), ...tool }) as unknown as ToolWith<Deps, O>;
}

export const confirmProperty = {
  type: 'string',
  description: 'Token of the first answer, to confirm',
} as const;

export const asksFirst = ({ effect, confirms }: Pick<AnyTool<never>, 'effect' | 'confirms'>): boolean =>
  effect === 'delete' || confirms === true;

/** Builds the wire form once, at registration. */
export function wireTool(tool: AnyTool<never>): WireTool {
  const inputSchema = schemaOf(tool.input, 'input');
  if (asksFirst(tool)) {
    inputSchema.properties = { ...(inputSchema.properties as object), confirm: confirmProperty };
  }
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    outputSchema: schemaOf(tool.output, 'output'),
    annotations: hints[tool.effect],
  };
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    override({ jsonSchema }) {
      plain(jsonSchema);
      // Outputs are checked before they are sent. Clients need not know that there are no other keys.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return io === 'input' ? (lean(schema) as Json) : schema;
}

/** The schema with each union of objects merged into one object. */
function lean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lean);
  if (typeof schema !== 'object' || schema === null) return schema;
  return asOneObject(Object.fromEntries(Object.entries(schema).map(([word, inner]) => [word, lean(inner)])));
}

/**
 * Removes what is obvious: the bounds of safe integers, a minimum length of 1, keys that are texts. Some clients
 * stumble over these keywords, and every client pays for them.
 */
function plain(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minLength === 1) delete schema.minLength;
  const { additionalProperties, propertyNames, prefixItems } = schema;
  if (typeof propertyNames === 'object' && isDeepStrictEqual(propertyNames, { type: 'string' }))
    delete schema.propertyNames;
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0)
    delete schema.additionalProperties;
  // Not every client supports tuples. One with equal items is a list with a fixed length.
  const [first, ...others] = prefixItems ?? [];
  if (first !== undefined && others.every((other) => isDeepStrictEqual(other, first))) {
    delete schema.prefixItems;
    Object.assign(schema, { items: first });
  }
}
