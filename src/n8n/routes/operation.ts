import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The OpenAPI description of a route that reads something. */
export function readOperation(
  about: { readonly operationId: string; readonly summary: string; readonly description?: string },
  query: z.ZodObject,
  answer: z.ZodType,
): Schema {
  return {
    ...about,
    tags: ['n8n'],
    parameters: queryParameters(query),
    responses: { 200: { description: 'The answer', content: { 'application/json': { schema: schemaOf(answer) } } } },
  };
}

export function queryParameters(query: z.ZodObject): Schema[] {
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function schemaOf(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' });
  return schema;
}

/** The query of a request, checked. */
export function queryIn<T extends z.ZodObject>(request: Request, query: T): z.output<T> {
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const read = query.safeParse(given);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const unknown = first?.code === 'unrecognized_keys' ? first.keys[0] : undefined;
  throw new AppError(
    'invalid_input',
    unknown === undefined
      ? `"${first?.path.join('.')}" is not valid: ${first?.message}. /openapi.json describes the parameters.`
      : `There is no parameter "${unknown.slice(0, 100)}". /openapi.json describes the parameters.`,
  );
}

export const fresh = (value: unknown): Response => Response.json(value, { headers: { 'cache-control': 'no-store' } });
