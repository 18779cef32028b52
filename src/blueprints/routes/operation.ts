import { z } from 'zod';
import type { Json } from '../../kernel/source.ts';

/** A tool as an endpoint describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

export interface Described {
  readonly method?: 'POST' | 'DELETE';
  readonly tool: DescribedTool;
  /** Arguments that the path names. */
  readonly named?: readonly string[];
  /** Arguments that a request may leave out, with the values that fit here. */
  readonly otherwise?: Json;
  readonly takesYaml?: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  if (io === 'input') return schema;
  // Answers may get more keys later, so do not promise clients that they will not.
  const isClosed = (key: string, value: unknown) => key === 'additionalProperties' && value === false;
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (isClosed(key, value) ? undefined : value)),
  ) as Schema;
}

/** The answers of a tool. */
export function responses(output: z.ZodType): Json {
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    200: { description: 'Done', content: { 'application/json': { schema: schemaOf(output, 'output') } } },
    409: {
      description: 'A conflict; or, with error.data.confirm: repeat the request with that token as "confirm"',
      content: error,
    },
  };
}

const confirmation = { type: 'string', description: 'Token of a 409 answer, to confirm the same request' };

/** The OpenAPI description of an endpoint that calls a tool. */
export function operationOf({ method, tool, named = [], otherwise = {}, takesYaml = false }: Described): Json {
  const { properties = {}, required = [] } = schemaOf(tool.input, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const others = Object.entries(properties).filter(([name]) => !named.includes(name));
  const [about] = tool.description.split('. ');
  const operation = {
    operationId: tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: tool.title,
    description: `${about?.replace(/\.$/, '')}. Calls ${tool.name}.`,
    tags: ['blueprints'],
    responses: responses(tool.output),
  };
  if (method !== 'POST') {
    const query = method === 'DELETE' ? [...others, ['confirm', confirmation] as const] : others;
    const parameters = query.map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    }));
    return parameters.length > 0 ? { ...operation, parameters } : operation;
  }
  const needed = others
    .map(([name]) => name)
    .filter((name) => required.includes(name) && !Object.hasOwn(otherwise, name));
  const schema = {
    type: 'object',
    properties: { ...Object.fromEntries(others), confirm: confirmation },
    ...(needed.length > 0 && { required: needed }),
  };
  const yaml = takesYaml ? { 'application/yaml': { schema: { type: 'string' } } } : {};
  return { ...operation, requestBody: { content: { 'application/json': { schema }, ...yaml } } };
}
