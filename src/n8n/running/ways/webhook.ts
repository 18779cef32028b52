import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../client/shapes.ts';
import { appendFile, filesSchema } from '../arguments/files.ts';
import { inferSchema } from '../arguments/infer.ts';
import { objectSchema } from '../arguments/object-schema.ts';
import { propertyKeys } from '../arguments/property-keys.ts';
import { safePath } from '../safe-path.ts';
import { bodiless } from '../web-request.ts';
import type { Answering, ToolCall, Unfit, Way } from '../way.ts';

/** An HTTP request. */
export const webhook: Way = {
  kind: 'webhook',
  types: ['n8n-nodes-base.webhook'],
  // The body is passed on as it is: it may have any shape.
  items: (_, data) => [{ json: { headers: {}, params: {}, query: {}, body: data ?? {} } }],
  address(node) {
    const path = webhookPath(node);
    return path === undefined ? undefined : { path: `webhook/${path}`, method: webhookMethods(node).join(', ') };
  },
  outside: {
    isOpen: (node) => webhookPath(node) !== undefined,
    request(node, data) {
      const path = webhookPath(node) as string;
      if (hasParameters(path)) {
        throw new AppError(
          'invalid_input',
          `The path of ${node.name} has parameters: ${path}. Call it with n8n_trigger_webhook and the path filled in.`,
        );
      }
      const method = methodFor(node);
      const target = { method, path: `/webhook/${safePath(path)}` };
      // Without a body, the address has to hold the data.
      return bodiless.has(method) ? { ...target, query: queryOf(data) } : { ...target, body: data ?? {} };
    },
    tool({ node, example }) {
      const { authentication = 'none', path: given } = node.parameters;
      if (authentication !== 'none') {
        return {
          reason: `Its webhook requires ${String(authentication)}, and n8n never shows the secret. Add a trigger "When Executed by Another Workflow", which needs none.`,
        };
      }
      const path = webhookPath(node);
      return path === undefined || isExpression(given)
        ? { reason: 'The path of its webhook is an expression. Give it a fixed one.' }
        : toolCall(node, path, example);
    },
    exampleParts: ['body', 'query'],
  },
};

const isExpression = (given: unknown): boolean => typeof given === 'string' && given.startsWith('=');

/** Its path below `/webhook/`. If it has parameters, n8n puts the webhook's id before it. */
export function webhookPath({ parameters: { path: given }, webhookId }: Node): string | undefined {
  if (isExpression(given)) return undefined;
  const path = typeof given === 'string' ? given.replace(/^\/+/, '') : '';
  if (path === '') return webhookId;
  return hasParameters(path) && webhookId !== undefined ? `${webhookId}/${path}` : path;
}

/** Whether a path has segments to fill in, such as `orders/:id`. */
export const hasParameters = (path: string): boolean => /(^|\/):/.test(path);

/** The methods it accepts; the first is the default. */
export function webhookMethods({ parameters: { httpMethod } }: Node): string[] {
  if (Array.isArray(httpMethod)) return httpMethod.map(String);
  return [typeof httpMethod === 'string' ? httpMethod : 'GET'];
}

/** Prefers a method with a body. */
function methodFor(node: Node): string {
  const methods = webhookMethods(node);
  return methods.find((method) => !bodiless.has(method)) ?? methods[0] ?? 'GET';
}

function queryOf(data: unknown): Record<string, string> {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new AppError('invalid_input', 'This webhook takes GET, so data must be an object, which becomes the query.');
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, textOf(value)]));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const answering: ReadonlyMap<unknown, Answering> = new Map([
  ['onReceived', 'execution'],
  ['streaming', 'stream'],
]);

/** Its arguments are the parameters of its path and the body, or the query for methods without a body. */
function toolCall(node: Node, path: string, shown: unknown): ToolCall | Unfit {
  const method = methodFor(node);
  const inPath = path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []));
  const example = exampleOf(shown, bodiless.has(method) ? 'query' : 'body');
  const names = [...inPath, ...Object.keys(example).filter((name) => !inPath.includes(name))];
  const keys = propertyKeys(names);
  const properties: Json = {};
  for (const [index, name] of names.entries()) {
    const key = keys[index] as string;
    const schema =
      index < inPath.length ? { type: 'string', minLength: 1, description: 'Part of the address' } : example[name];
    Object.defineProperty(properties, key, {
      value: name === key ? schema : { title: name, ...(schema as Json) },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  const takesFiles = !bodiless.has(method) && !keys.includes('files');
  if (takesFiles) properties.files = filesSchema;
  return {
    schema: objectSchema(properties, keys.slice(0, inPath.length), true),
    answering: answering.get(node.parameters.responseMode ?? 'onReceived') ?? 'answer',
    request(args) {
      const nameOf = new Map(keys.map((key, index) => [key, names[index] as string]));
      const given = new Map(Object.entries(args).map(([key, value]) => [nameOf.get(key) ?? key, value]));
      const filled = path
        .split('/')
        .map((segment) => (segment.startsWith(':') ? pathValue(segment.slice(1), given) : segment));
      for (const name of inPath) given.delete(name);
      const target = { method, path: `/webhook/${safePath(filled.join('/'))}` };
      if (bodiless.has(method)) return { ...target, query: queryOf(Object.fromEntries(given)) };
      const files = takesFiles ? given.get('files') : undefined;
      if (!Array.isArray(files)) return { ...target, body: Object.fromEntries(given) };
      given.delete('files');
      const form = new FormData();
      for (const [name, value] of given) form.append(name, textOf(value));
      for (const [index, file] of files.entries()) appendFile(form, `file_${index}`, file);
      return { ...target, body: form };
    },
  };
}

function pathValue(name: string, given: ReadonlyMap<string, unknown>): string {
  const value = textOf(given.get(name));
  // n8n splits the path after decoding it.
  if (value.includes('/') || value === '.' || value === '..') {
    throw new AppError(
      'invalid_input',
      `${name} becomes part of the address, so it cannot contain "/" or be "." or "..".`,
    );
  }
  return encodeURIComponent(value);
}

function exampleOf(example: unknown, part: 'query' | 'body'): Record<string, Json> {
  const sent = (example as Record<string, unknown> | undefined)?.[part];
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, part === 'query' ? { type: 'string' } : inferSchema(value)]),
  );
}
