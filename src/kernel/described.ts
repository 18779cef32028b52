import { z } from 'zod';
import { AppError } from './errors.ts';
import { inputWords } from './input-words.ts';

/** For the `openapi` of a route: its answer. */
export function answered(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'output' });
  return { 200: { description: 'The answer', content: { 'application/json': { schema: described } } } };
}

/** For the `openapi` of a route: what its URL may say after `?`. */
export function inQuery(schema: z.ZodObject): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...type } = property as { description?: string };
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: type,
    };
  });
}

/** What the URL of a request says. */
export function askedIn<T extends z.ZodObject>(schema: T, { url }: Request): z.output<T> {
  const parsed = schema.safeParse(Object.fromEntries(new URL(url).searchParams), { error: inputWords });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new AppError('invalid_input', `Check the query of the URL: ${problems.join('; ').replace(/\.?$/, '.')}`);
}
