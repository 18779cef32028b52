import { z } from 'zod';
import { shown as shortened } from '../../kernel/nearest-names.ts';
import type { Json, WireTool } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';

/** A list item that every client can parse, and what was left out of it; or why it cannot be listed at all. */
export type Checked = { item: Json; dropped: string[] } | { invalid: string };

const text = z.string();
const object = z.record(z.string(), z.unknown());
const icons = z.array(
  z.object({
    src: text,
    mimeType: text.optional(),
    sizes: z.array(text).optional(),
    theme: z.enum(['light', 'dark']).optional(),
  }),
);
const annotations = z.object({
  audience: z.array(z.enum(['user', 'assistant'])).optional(),
  priority: z.number().min(0).max(1).optional(),
  lastModified: z.iso.datetime({ offset: true }).optional(),
});
const shown = { title: text, description: text, icons, _meta: object };

/**
 * The optional keys of an item. Typed clients refuse a whole list for one wrong value, and many servers write `null` for
 * an absent one: without this check, one server would break the tools of all others.
 */
const optional = {
  tools: {
    ...shown,
    outputSchema: object,
    annotations: z.object({
      title: text.optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    }),
    execution: z.object({ taskSupport: z.enum(['required', 'optional', 'forbidden']).optional() }),
  },
  prompts: {
    ...shown,
    arguments: z.array(z.object({ name: text, description: text.optional(), required: z.boolean().optional() })),
  },
  resources: { ...shown, mimeType: text, size: z.number(), annotations },
  templates: { ...shown, mimeType: text, annotations },
} satisfies Record<string, Record<string, z.ZodType>>;

const identity = { tools: 'name', prompts: 'name', resources: 'uri', templates: 'uriTemplate' } as const;

/** Checks one item of a backend's list. Keys that no specification defines stay. */
export function wellFormed(kind: keyof typeof optional, given: unknown): Checked {
  const key = identity[kind];
  const id = isObject(given) ? given[key] : undefined;
  if (!isObject(given) || typeof id !== 'string' || id === '') return { invalid: `${kind}: an item without ${key}` };
  const item: Json = { ...given };
  const dropped: string[] = [];
  for (const [name, shape] of Object.entries(optional[kind])) {
    if (item[name] === undefined || shape.safeParse(item[name]).success) continue;
    delete item[name];
    dropped.push(`${shortened(id)}: its ${name} is not valid MCP`);
  }
  if (kind === 'tools') {
    const inputSchema = inputSchemaOf(item.inputSchema);
    if (inputSchema === undefined)
      return { invalid: `tool ${shortened(id)}: its inputSchema does not describe an object` };
    item.inputSchema = inputSchema;
  } else if (typeof item.name !== 'string') item.name = id;
  return { item, dropped };
}

const required = z.array(text);

/** The schema with the keys that every client needs; undefined if no arguments could match it. */
function inputSchemaOf(given: unknown): Json | undefined {
  if (!isObject(given)) return undefined;
  const { type } = given;
  const describesObject = type === undefined || type === null || (Array.isArray(type) && type.includes('object'));
  if (type !== 'object' && !describesObject) return undefined;
  const schema: Json = type === 'object' ? { ...given } : { ...given, type: 'object' };
  if (schema.properties !== undefined && !isObject(schema.properties)) delete schema.properties;
  if (schema.required !== undefined && !required.safeParse(schema.required).success) delete schema.required;
  return schema;
}

/** The tool in a form that 2025 clients can parse: 2026 also allows output that is no object, and boolean schemas. */
export function legacyTool(tool: WireTool): WireTool {
  const inputSchema = withoutBooleans(tool.inputSchema);
  const outputSchema =
    isObject(tool.outputSchema) && tool.outputSchema.type === 'object' && withoutBooleans(tool.outputSchema);
  if (inputSchema === tool.inputSchema && (outputSchema || undefined) === tool.outputSchema) return tool;
  const { outputSchema: _, ...rest } = tool;
  return { ...rest, inputSchema, ...(outputSchema && { outputSchema }) };
}

// `true` equals `{}`, and `false` equals `{ not: {} }`, but SDK v1 knows only the object forms.
function withoutBooleans(schema: Json): Json {
  const { properties } = schema;
  if (!isObject(properties) || !Object.values(properties).some((value) => typeof value === 'boolean')) return schema;
  const spelt = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? (value ? {} : { not: {} }) : value,
  ]);
  return { ...schema, properties: Object.fromEntries(spelt) };
}
