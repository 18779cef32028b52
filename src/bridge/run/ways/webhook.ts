import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../../n8n/client/shapes.ts';
import { webhookMethods, webhookPath } from '../../../n8n/running/triggers.ts';
import { safePath } from '../../../n8n/running/web-call.ts';
import { appendFile, filesSchema } from '../files.ts';
import { inferSchema } from '../infer.ts';
import { propertyKeys } from './property-keys.ts';
import { type Answering, objectSchema, type Unfit, type Way } from './way.ts';
import { own } from '../../../kernel/own.ts';

const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const answering: Readonly<Record<string, Answering>> = {
  onReceived: 'execution',
  streaming: 'stream',
};

/** A workflow that begins with a webhook: its arguments are the body, or the query where there is no body. */
export function webhookWay({ node, pinned }: { readonly node: Node; readonly pinned?: unknown }): Way | Unfit {
  const { authentication = 'none', responseMode = 'onReceived' } = node.parameters;
  if (authentication !== 'none') {
    return {
      reason: `Its webhook wants ${String(authentication)}, and what n8n keeps for it cannot be read. Give the workflow a trigger "When Executed by Another Workflow" beside it, which needs none.`,
    };
  }
  const trigger = { name: node.name, type: node.type, kind: 'webhook' as const, node };
  const path = webhookPath(trigger);
  if (path === undefined || (typeof node.parameters.path === 'string' && node.parameters.path.startsWith('='))) {
    return { reason: 'The path of its webhook is an expression. Give it a fixed one.' };
  }
  const methods = webhookMethods(trigger);
  const method = methods.find((one) => !bodiless.has(one)) ?? methods[0] ?? 'GET';
  const inPath = path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []));
  const example = exampleOf(pinned, bodiless.has(method) ? 'query' : 'body');
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
    answering: own(answering, String(responseMode)) ?? 'answer',
    request(args) {
      const nameOf = new Map(keys.map((key, index) => [key, names[index] as string]));
      const given = new Map(Object.entries(args).map(([key, value]) => [nameOf.get(key) ?? key, value]));
      const filled = path
        .split('/')
        .map((segment) => (segment.startsWith(':') ? pathValue(segment.slice(1), given) : segment));
      for (const name of inPath) given.delete(name);
      const target = { method, path: `/webhook/${safePath(filled.join('/'))}` };
      if (bodiless.has(method)) {
        return { ...target, query: Object.fromEntries([...given].map(([name, value]) => [name, textOf(value)])) };
      }
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function pathValue(name: string, given: ReadonlyMap<string, unknown>): string {
  const value = textOf(given.get(name));
  // n8n takes the address apart after it was decoded.
  if (value.includes('/') || value === '.' || value === '..') {
    throw new AppError(
      'invalid_input',
      `${name} becomes a part of the address, and so cannot hold "/" or be "." or "..".`,
    );
  }
  return encodeURIComponent(value);
}

/** What was pinned at the webhook shows what it is sent. */
function exampleOf(pinned: unknown, part: 'query' | 'body'): Record<string, Json> {
  const [item] = (Array.isArray(pinned) ? pinned : []) as unknown[];
  const json = ((item as { json?: unknown } | undefined)?.json ?? item) as Record<string, unknown> | undefined;
  const sent = json?.[part];
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {};
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, part === 'query' ? { type: 'string' } : inferSchema(value)]),
  );
}
