/** Holds requests and answers against GitHub's description. */
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Description, Operation, Parameter, Schema } from './description.ts';

export interface Request {
  readonly method: string;
  /** Below the base, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; undefined if there is none. */
  readonly body: unknown;
}

export interface Matched {
  /** Such as `GET /repos/{owner}/{repo}`. */
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly operation: Operation;
}

export interface Contract {
  match(method: string, path: string): Matched | undefined;
  /** What is wrong with a request. */
  requestProblems(matched: Matched, request: Request): string[];
  /** What is wrong with an answer of the stand-in itself. */
  responseProblems(matched: Matched, status: number, type: string, body: unknown): string[];
}

/** Paths that GitHub serves but does not describe: it redirects renamed repositories to the first. */
const BY_ID = '/repositories/{repository_id}';
const ROOT = '/repos/{owner}/{repo}/contents';

export function contractOf(description: Description): Contract {
  const described = description.paths['/repos/{owner}/{repo}']?.get as Operation;
  const contents = description.paths[`${ROOT}/{path}`]?.get as Operation;
  const id: Parameter = { name: 'repository_id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths: Description['paths'] = {
    ...description.paths,
    [BY_ID]: { get: { ...described, parameters: [id] } },
    [ROOT]: {
      get: {
        ...contents,
        parameters: (contents.parameters ?? []).filter((one) => !('name' in one) || one.name !== 'path'),
      },
    },
  };

  const resolved = <T extends object>(given: T | { readonly $ref: string }): T => {
    if (!('$ref' in given)) return given;
    const [, , kind = '', name = ''] = given.$ref.split('/');
    return description.components[kind]?.[name] as T;
  };
  const parametersOf = ({ parameters = [] }: Operation) => parameters.map((one) => resolved<Parameter>(one));

  const templates = Object.entries(paths).map(([template, operations]) => {
    const [any] = Object.values(operations);
    const long = new Set(
      (any ? parametersOf(any) : []).filter((one) => one['x-multi-segment']).map(({ name }) => name),
    );
    const names: string[] = [];
    const pattern = template.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return long.has(name) ? '(.+)' : '([^/]+)';
    });
    return { template, operations, names, pattern: new RegExp(`^${pattern}$`), weight: weightOf(template) };
  });
  // The most literal one first: /search/code before /{a}/{b}.
  templates.sort((a, b) => b.weight - a.weight);

  const ajv = new Ajv({ strict: false, logger: false, coerceTypes: false });
  const coercing = new Ajv({ strict: false, logger: false, coerceTypes: true });
  for (const one of [ajv, coercing]) formats.default(one);
  const compiled = new Map<string, ValidateFunction>();

  /** Compiled once, with only those components that it uses. */
  function check(key: string, schema: Schema, value: unknown, by = ajv): string[] {
    let validate = compiled.get(key);
    if (!validate) {
      const schemas = new Map<string, unknown>();
      const use = (name: string) => {
        if (schemas.has(name)) return;
        // A component may contain itself.
        schemas.set(name, true);
        schemas.set(name, converted(description.components.schemas?.[name], use));
      };
      const root = converted(schema, use) as object;
      validate = by.compile({ ...root, components: { schemas: Object.fromEntries(schemas) } });
      compiled.set(key, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
      return `${instancePath || '(all)'} ${message} ${JSON.stringify(params)}`;
    });
  }

  return {
    match(method, path) {
      for (const { template, operations, names, pattern } of templates) {
        const found = pattern.exec(path);
        const operation = operations[method.toLowerCase()];
        if (!found || !operation) continue;
        const params = Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(found[n + 1] as string)]));
        return { key: `${method} ${template}`, params, operation };
      }
      return undefined;
    },
    requestProblems({ key, params, operation }, { query, headers, body }) {
      const problems: string[] = [];
      const known = new Map(parametersOf(operation).map((one) => [one.name, one]));
      for (const [name, value] of query) {
        const one = known.get(name);
        if (one?.in !== 'query') problems.push(`the query parameter ${name} is unknown`);
        else
          problems.push(
            ...check(`${key} ?${name}`, boxed(one.schema), { value }, coercing).map((text) => `${name}: ${text}`),
          );
      }
      for (const { name, in: place, required, schema } of known.values()) {
        if (place === 'query' && required && !query.has(name)) problems.push(`the query parameter ${name} is missing`);
        if (place === 'path')
          problems.push(...check(`${key} {${name}}`, boxed(schema), { value: params[name] }, coercing));
      }
      if (Number(query.get('per_page') ?? 1) > 100) problems.push('per_page is more than 100');
      problems.push(...headerProblems(headers));
      const wanted = operation.requestBody?.content['application/json']?.schema;
      if (body !== undefined && !wanted) problems.push('it takes no body');
      else if (body === undefined && operation.requestBody?.required) problems.push('the body is missing');
      else if (body !== undefined && wanted) problems.push(...check(`${key} body`, closed(wanted), body));
      return problems.map((text) => `${key}: ${text}`);
    },
    responseProblems({ key, operation }, status, type, body) {
      const given = operation.responses[String(status)];
      if (!given) return [`${key}: no answer ${status} is described`];
      const { content } = resolved<{ content?: Record<string, { schema?: Schema }> }>(given);
      const schema = content?.[type]?.schema ?? content?.['application/json']?.schema;
      if (body === undefined || !schema) return [];
      return check(`${key} ${status} ${type}`, schema, body).map((text) => `${key} answered ${status}: ${text}`);
    },
  };
}

const weightOf = (template: string): number =>
  template.split('/').reduce((sum, part) => sum + (part.includes('{') ? 1 : 100), 0);

/** A parameter arrives as a text and is converted in place. A number fits both an integer and a text then. */
const boxed = ({ oneOf, ...schema }: Schema): Schema => ({
  type: 'object',
  properties: { value: oneOf === undefined ? schema : { ...schema, anyOf: oneOf } },
});

/** GitHub ignores fields that it does not know; a request of ours should not have any. */
const closed = (schema: Schema): Schema =>
  schema.properties !== undefined && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;

function headerProblems(headers: Request['headers']): string[] {
  const problems: string[] = [];
  if (!/^application\/vnd\.github\b/.test(String(headers.accept))) problems.push('the header accept is not GitHub’s');
  if (headers['x-github-api-version'] !== '2022-11-28') problems.push('the header x-github-api-version is missing');
  if (headers['user-agent'] === undefined) problems.push('the header user-agent is missing');
  return problems;
}

/** OpenAPI 3.0 as JSON Schema. `use` is told of each component that it refers to. */
function converted(schema: unknown, use: (name: string) => void): unknown {
  if (Array.isArray(schema)) return schema.map((one) => converted(one, use));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, example: _, examples: _examples, discriminator: _by, ...rest } = schema as Schema;
  if (typeof rest.$ref === 'string') use(rest.$ref.split('/').at(-1) as string);
  const plain = Object.fromEntries(
    Object.entries(rest).map(([word, inner]) => [word, word === 'enum' ? inner : converted(inner, use)]),
  );
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}
