import { z } from 'zod';
import type { CallContext } from './source.ts';

/** What a tool does to the world. Annotations, scopes and confirmation follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'execute';

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
  readonly examples?: readonly { title: string; arguments: z.input<I> }[];
  run(input: z.output<I>, deps: Deps, context: CallContext): Promise<z.input<O>>;
}

// biome-ignore lint: a heterogeneous list of tools cannot name its members' input types.
export type AnyTool<Deps> = Tool<Deps, z.ZodType<never>, z.ZodType>;

/** `const redisTool = toolsFor<{ redis: Redis }>()` narrows what a family of tools may use. */
export function toolsFor<Deps>() {
  return <I extends z.ZodType, O extends z.ZodType>(tool: Tool<Deps, I, O>): AnyTool<Deps> =>
    tool as unknown as AnyTool<Deps>;
}

export interface Annotations {
  title?: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

const hints: Record<Effect, Omit<Annotations, 'title'>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  execute: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** A tool as MCP lists it. Backends add keys of their own; they stay. */
export interface WireTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Partial<Annotations>;
  [key: string]: unknown;
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
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  return schema;
}

/** What a foreign tool's annotations say it does; silence counts as the worst. */
export function effectOf(annotations: unknown): Effect {
  const given = (annotations ?? {}) as Partial<Annotations>;
  if (given.readOnlyHint === true) return 'read';
  if (given.destructiveHint === false) return given.idempotentHint === true ? 'update' : 'create';
  return 'execute';
}
