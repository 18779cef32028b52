/**
 * Holds requests and answers against the description of n8n's public API, the openapi.yml of the installed n8n.
 *
 *   const contract = await n8nContract();                     // undefined if n8n is not installed
 *   const matched = contract.match('GET', '/users');
 *   contract.requestProblems(matched, { query, body });       // [] if n8n describes such a request
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { cacheDirectory } from '../../src/host/home.ts';
import { findInstallation } from '../../src/n8n/local/install.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Body | { readonly $ref: string };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
  readonly 'x-required-scope'?: string;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Body extends Answer {
  readonly required?: boolean;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Schema;
}

export interface Endpoint {
  /** `GET /users/{id}` */
  readonly key: string;
  readonly method: string;
  readonly template: string;
  readonly scope: string | undefined;
}

interface Matched extends Endpoint {
  readonly params: Readonly<Record<string, string>>;
  readonly operation: Operation;
}

/** Where n8n 2.41 does something else than its description says. */
const deviations: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  // It answers 201 with a list.
  ['POST /users', new Set([201])],
  // It answers 204 without a body.
  ['PATCH /users/{id}/role', new Set([204])],
]);

export type N8nContract = ReturnType<typeof contractOf>;

export async function n8nContract(): Promise<N8nContract | undefined> {
  const installed = await findInstallation({ cache: cacheDirectory(process.env), env: {} });
  if (!installed) return undefined;
  const file = join(installed.directory, 'node_modules/n8n/dist/public-api/v1/openapi.yml');
  return contractOf(parse(await readFile(file, 'utf8')) as Description);
}

function contractOf(description: Description) {
  const endpoints = Object.entries(description.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const scope = operation['x-required-scope'];
      return { key: `${method} ${template}`, method, template, scope: scope === 'none' ? undefined : scope, operation };
    }),
  );
  // The most literal one first: /executions/stop before /executions/{id}.
  const ordered = endpoints.toSorted((a, b) => placeholders(a.template) - placeholders(b.template));

  const plain = new Ajv({ strict: false, logger: false });
  const coercing = new Ajv({ strict: false, logger: false, coerceTypes: true });
  for (const one of [plain, coercing]) {
    formats.default(one);
    for (const own of ['identifier', 'jsonString', 'binary']) one.addFormat(own, true);
    one.addSchema({ $id: 'n8n', components: usable(description.components) as Schema });
  }
  const compiled = new Map<string, ValidateFunction>();

  function check(key: string, schema: Schema, value: unknown, by = plain): string[] {
    let validate = compiled.get(key);
    if (!validate) compiled.set(key, (validate = by.compile(usable(schema) as Schema)));
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`);
  }

  function resolved<T extends object>(given: T | { readonly $ref: string }): T {
    if (!('$ref' in given)) return given;
    let at: unknown = description;
    for (const step of given.$ref.split('/').slice(1)) at = (at as Record<string, unknown>)[step];
    return resolved(at as T);
  }

  return {
    endpoints: endpoints as readonly Endpoint[],
    /** `path` is below /api/v1, percent-encoded. */
    match(method: string, path: string): Matched | undefined {
      const parts = path.split('/');
      for (const endpoint of ordered) {
        const names = endpoint.template.split('/');
        if (endpoint.method !== method || names.length !== parts.length) continue;
        if (!names.every((name, index) => name.startsWith('{') || name === parts[index])) continue;
        const params = names.flatMap((name, index) =>
          name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(parts[index] as string)] as const] : [],
        );
        return { ...endpoint, params: Object.fromEntries(params) };
      }
      return undefined;
    },
    requestProblems(
      { key, operation }: Matched,
      { query, body }: { readonly query: URLSearchParams; readonly body: unknown },
    ): string[] {
      const problems: string[] = [];
      const known = (operation.parameters ?? [])
        .map((one) => resolved<Parameter>(one))
        .filter((one) => one.in === 'query');
      for (const [name, value] of query) {
        const one = known.find((parameter) => parameter.name === name);
        if (!one) problems.push(`the query parameter ${name} is unknown`);
        else problems.push(...check(`${key} ?${name}`, boxed(one.schema), { value }, coercing));
      }
      for (const { name, required } of known) {
        if (required && !query.has(name)) problems.push(`the query parameter ${name} is missing`);
      }
      const wanted = operation.requestBody && resolved<Body>(operation.requestBody);
      const schema = wanted?.content?.['application/json']?.schema;
      const isForm = wanted?.content?.['multipart/form-data'] !== undefined;
      // n8n ignores an empty body where it wants none.
      const isEmpty = body === undefined || JSON.stringify(body) === '{}';
      if (!wanted && !isEmpty) problems.push('it takes no body');
      else if (wanted?.required && body === undefined && !isForm) problems.push('the body is missing');
      else if (body !== undefined && schema) problems.push(...check(`${key} body`, schema, body));
      return problems.map((problem) => `${key}: ${problem}`);
    },
    responseProblems({ key, operation }: Matched, status: number, body: unknown): string[] {
      if (deviations.get(key)?.has(status)) return [];
      const answer = operation.responses[String(status)];
      if (!answer) return status >= 400 ? [] : [`${key}: no answer ${status} is described`];
      const schema = resolved<Answer>(answer).content?.['application/json']?.schema;
      if (!schema || body === undefined) return [];
      return check(`${key} ${status}`, schema, body).map((problem) => `${key} answered ${status}: ${problem}`);
    },
  };
}

const placeholders = (template: string): number => template.split('{').length;

/** A parameter arrives as a text and is converted in place. */
const boxed = (value: Schema): Schema => ({ type: 'object', properties: { value } });

/** As Ajv takes it: with references into the whole description, and `nullable` only beside a type. */
function usable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(usable);
  if (typeof value !== 'object' || value === null) return value;
  const isTyped = 'type' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'nullable' || typeof inner !== 'boolean' || isTyped)
      .map(([key, inner]) => [key, key === '$ref' && typeof inner === 'string' ? `n8n${inner}` : usable(inner)]),
  );
}
