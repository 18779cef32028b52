import { z } from 'zod';
import { type Effect, hints } from './effect.ts';
import type { Progress } from './progress.ts';
import type { CallContext, WireTool } from './source.ts';

export interface Tool<Deps, I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly scope: string;
  readonly input: I;
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

/** A tool in a list: what each one takes is known to itself alone. */
export type AnyTool<Deps> = Tool<Deps, z.ZodType<never>>;

/** `const redisTool = toolsFor<{ redis: Redis }>()` narrows what a family of tools may use. */
export function toolsFor<Deps>() {
  return <I extends z.ZodType, O extends z.ZodType>(tool: Tool<Deps, I, O>): AnyTool<Deps> =>
    tool as unknown as AnyTool<Deps>;
}

export const confirmProperty = {
  type: 'string',
  description: 'The token from the first answer of this tool; repeat the call with it to go ahead.',
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
    annotations: { title: tool.title, ...hints[tool.effect] },
  };
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, override: ({ jsonSchema }) => plain(jsonSchema) });
  return schema;
}

/** What a record of anything says needs no words: keys are texts, values are anything. Some clients stumble over them. */
function plain(schema: z.core.JSONSchema.BaseSchema): void {
  const { additionalProperties, propertyNames } = schema;
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length > 0) return;
  delete schema.additionalProperties;
  if (typeof propertyNames === 'object' && propertyNames.type === 'string') delete schema.propertyNames;
}
