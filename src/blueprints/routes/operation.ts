import type { ListedTool } from '../../kernel/listed-tool.ts';
import type { Json } from '../../kernel/source.ts';

/** An endpoint that calls a tool. */
export interface Endpoint {
  readonly method?: 'POST' | 'DELETE';
  /** Below /api/v1. */
  readonly path: string;
  readonly tool: ListedTool;
  /** Arguments that the path names. */
  readonly named?: readonly string[];
  /** Arguments that a request may leave out, with the values that fit here. */
  readonly otherwise?: Json;
  /** Arguments that are numbers. */
  readonly numbers?: readonly string[];
  readonly takesYaml?: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

/** The answers of a tool. */
function responses({ wire: { outputSchema = {} } }: ListedTool): Json {
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    200: { description: 'Done', content: { 'application/json': { schema: outputSchema } } },
    409: {
      description: 'A conflict; or, with error.data.confirm: repeat the request with that token as "confirm"',
      content: error,
    },
  };
}

const confirmation = { type: 'string', description: 'Token of a 409 answer, to confirm the same request' };

/** The OpenAPI description of an endpoint that calls a tool. */
export function operationOf({ method, tool, named = [], otherwise = {}, takesYaml = false }: Endpoint): Json {
  const { title, description = '', inputSchema } = tool.wire;
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const others = Object.entries(properties).filter(([name]) => name !== 'confirm' && !named.includes(name));
  const [about] = description.split('. ');
  const operation = {
    operationId: tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: title,
    description: `${about?.replace(/\.$/, '')}. Calls ${tool.name}.`,
    tags: ['blueprints'],
    responses: responses(tool),
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

export const unscheduleOperation = (tool: ListedTool): Json => ({
  operationId: 'blueprintUnschedule',
  summary: 'Ends a schedule',
  tags: ['blueprints'],
  responses: responses(tool),
});

export const runEventsOperation = (): Json => ({
  operationId: 'blueprintRunEvents',
  summary: 'Follows a run',
  description:
    'Server-sent events: `status` with the status of the run, now and after each change, and `end` after the last. A new connection begins with the status as it is then.',
  tags: ['blueprints'],
  responses: {
    200: { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    204: { description: 'The run has ended, and Last-Event-ID says that you have seen it' },
  },
});
