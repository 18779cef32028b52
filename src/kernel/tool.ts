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
   * Names under which it can be called too, and is not listed: what it, or a tool that became part of it, was called
   * before. Each reads the arguments of that time as those of today.
   */
  readonly aliases?: Readonly<Record<string, (given: Json) => Json>>;
  /** Whether it can be called, and is not listed. */
  readonly unlisted?: boolean;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly scope: string;
  readonly input: I;
  /** It reads keys that its schema does not have, as of an export, and refuses itself what it does not know. */
  readonly takesMore?: boolean;
  readonly output: O;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** When and how to use it, for a reader who plans several calls. */
  readonly guidance?: string;
  /** What people say who want it, parted by semicolons. It is found by them; they are not listed. */
  readonly phrases?: string;
  readonly examples?: readonly { title: string; arguments: z.input<I> }[];
  /**
   * What the call would do, in sentences for whoever has to confirm it: what is deleted, and who depends on it. It looks
   * before anybody is asked, and throws what would make the call fail. Undefined: nothing would be deleted.
   */
  preview?(input: z.output<I>, deps: Deps, context: CallContext): Promise<string | undefined>;
  run(input: z.output<I>, deps: Deps, context: CallContext, progress: Progress): Promise<z.input<O> | Written>;
}

/**
 * An output that is JSON text already: it is passed on as it is. The tool vouches for it, so it must have checked what
 * the text is made of against its schema.
 */
export class Written {
  readonly json: string;
  /** The same as a string of JSON, which the message needs too. */
  readonly quoted: string;

  constructor(json: string, quoted = JSON.stringify(json)) {
    this.json = json;
    this.quoted = quoted;
  }
}

/** For an alias that took the same arguments. */
export const sameArguments = (given: Json): Json => given;

/** A tool in a list: only the tool itself knows what it takes. */
export type AnyTool<Deps> = Tool<Deps, z.ZodType<never>>;

/** The same with its output, for callers in this program. */
export type ToolWith<Deps, O extends z.ZodType> = Tool<Deps, z.ZodType<never>, O>;
export type OutputOf<T extends { readonly output: z.ZodType }> = z.output<T['output']>;

/** What the tools of one family have in common. */
export interface Family {
  readonly category: string;
  readonly tags?: readonly string[];
  /** The scope a tool needs unless it names its own; `<category>:<verb>` unless told. */
  scope?(effect: Effect): string;
}

type Shared = 'category' | 'scope' | 'tags';

/** A tool without what its family says for it. */
export type OfFamily<T extends Pick<AnyTool<never>, Shared>> = Omit<T, Shared> & Partial<Pick<T, Shared>>;

/** `const redisTool = toolsFor<{ redis: Redis }>({ category: 'redis' })` narrows what a family of tools may use. */
export function toolsFor<Deps>({ scope, ...family }: Family) {
  const scopeOf = scope ?? ((effect: Effect) => scopeFor(family.category, effect));
  return <I extends z.ZodType, O extends z.ZodType>(tool: OfFamily<Tool<Deps, I, O>>): ToolWith<Deps, O> =>
    ({ ...family, scope: scopeOf(tool.effect), ...tool }) as unknown as ToolWith<Deps, O>;
}

export const confirmProperty = {
  type: 'string',
  description: 'The token of the first answer, to go ahead',
} as const;

/** Builds the wire form once, at registration. */
export function wireTool(tool: AnyTool<never>): WireTool {
  const inputSchema = schemaOf(tool.input, 'input');
  if (tool.effect === 'delete') {
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
      // What we send is checked before it goes; nobody has to be told that there is nothing else in it.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return io === 'input' ? (lean(schema) as Json) : schema;
}

/** The same, with unions of objects as one object each. */
function lean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lean);
  if (typeof schema !== 'object' || schema === null) return schema;
  return asOneObject(Object.fromEntries(Object.entries(schema).map(([word, inner]) => [word, lean(inner)])));
}

/**
 * Without what goes without saying: a whole number is one that can be counted, what is needed is not empty, keys are
 * texts. Some clients stumble over these words, and every one pays for them.
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
  // Not every host knows tuples; of one kind they are lists of a certain length.
  const [first, ...others] = prefixItems ?? [];
  if (first !== undefined && others.every((other) => isDeepStrictEqual(other, first))) {
    delete schema.prefixItems;
    Object.assign(schema, { items: first });
  }
}
