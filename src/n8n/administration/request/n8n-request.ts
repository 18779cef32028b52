import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { isUnknownPath } from '../../client/refused.ts';
import { shorten } from '../../executions/shorten.ts';
import { n8nTool } from '../../tool.ts';
import { HIDDEN, withoutSecrets } from '../secrets.ts';
import { refuseOwned } from './has-own-tool.ts';
import { masked } from './masked.ts';
import { picked } from './picked.ts';
import { requestEffect } from './request-effect.ts';
import { requestPath } from './request-path.ts';

/** The reply has the answer twice, as data and as text. */
const DEFAULT_BYTES = 3400;
const PREVIEW_BYTES = 1000;
/** Executions with their data can be any size. */
const LARGEST_ANSWER = 20_000_000;

const scalar = z.union([z.string().max(4000), z.number(), z.boolean()]);

export const n8nRequest = n8nTool({
  name: 'n8n_request',
  title: 'Request to the n8n API',
  description:
    "Sends a request to n8n's public API, for endpoints that have no tool. GET reads at once; everything else asks for confirmation. Secrets in the answer are hidden. GET /discover lists the endpoints that the API key may use.",
  effect: 'execute',
  effectOf: requestEffect,
  confirms: true,
  phrases:
    'call the n8n api directly; raw request to n8n; any endpoint of the n8n api; http request to the n8n rest api; GET /api/v1; post to the n8n api; there is no tool for this in n8n; use the public api of n8n; custom api call to n8n; read an endpoint of n8n; ldap settings; saml settings of n8n; log streaming destinations; evaluation test runs; role mapping rules; node type policies; execution tags; which endpoints does the n8n api have; send a delete to the n8n api; GET an endpoint of n8n by its path; the raw json of an n8n endpoint; api path such as /executions/1/tags; reach an endpoint without a tool',
  tags: ['api'],
  input: {
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    path: z.string().trim().min(1).max(1000).describe('Path below /api/v1: /executions/7/tags'),
    query: z.record(z.string().max(100), scalar).optional().describe('Query parameters: { "limit": 10 }'),
    body: z.unknown().optional().describe('JSON body'),
    pick: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Return only this part of the answer: data.0.name or /data/0/name'),
    max_bytes: z.int().min(200).max(200_000).optional().describe('Maximum size of the answer. Default: 3400'),
  },
  // Bodies may have secrets.
  recorded: ['instance', 'method', 'path', 'pick', 'max_bytes'],
  output: z.object({
    status: z.number(),
    answer: z.unknown().optional(),
    bytes: z.number().optional().describe('Size of the whole answer, if it was shortened'),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'What the key may do', arguments: { path: '/discover', pick: 'data.scopes' } },
    { title: 'Tags of an execution', arguments: { path: '/executions/7/tags' } },
  ],
  async preview({ method, path: given, query = {}, body }, { client }) {
    const path = requestPath(given);
    if (method === 'GET') return undefined;
    refuseOwned(method, path);
    const sent = bodyOf(body);
    const inShort = (value: unknown) => JSON.stringify(shorten(masked(value, path).value, PREVIEW_BYTES).value);
    const asked = Object.keys(query).length === 0 ? '' : `with the query ${inShort(query)} and `;
    const what = sent === undefined ? 'without a body' : `with the body ${inShort(sent)}`;
    return `It sends ${method} ${path} to n8n (${client.name}, ${withoutSecrets(client.url)}) ${asked}${what}. What that changes, Sluice does not know.`;
  },
  async run({ method, path: given, query = {}, body, pick, max_bytes }, { client }, { signal }) {
    const path = requestPath(given);
    const sent = bodyOf(body);
    if (method === 'GET' && sent !== undefined) throw new AppError('invalid_input', 'A GET has no body. Use "query".');
    refuseOwned(method, path);
    signal.throwIfAborted();
    // Do not cancel a change: nobody could know whether it happened.
    const ask = {
      query,
      largest: LARGEST_ANSWER,
      ...(sent !== undefined && { body: sent }),
      ...(method === 'GET' && { signal }),
    };
    const answer = await client.http.send(method, path, ask);
    if (answer.status < 200 || answer.status >= 300)
      throw withAdvice(await client.http.refusal(answer, method, path), client.name, method, path);
    if (answer.body === undefined) return { status: answer.status };
    const { value, hides } = masked(answer.body, path);
    const part = pick === undefined ? value : picked(value, pick);
    const short = shorten(part, max_bytes ?? DEFAULT_BYTES);
    const notes = [
      ...(hides ? [`${HIDDEN} stands for secrets.`] : []),
      ...(short.cut ? ['The answer was shortened: use "pick", a smaller "limit" in "query", or "max_bytes".'] : []),
    ];
    return {
      status: answer.status,
      answer: short.value,
      ...(short.cut && { bytes: Buffer.byteLength(JSON.stringify(part)) }),
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  },
});

/** Here a path that n8n does not have is more likely a mistake than an old n8n. */
function withAdvice(error: AppError, n8n: string, method: string, path: string): AppError {
  const status = error.data?.status;
  const isUnknown = status === 405 || (status === 404 && (error.code === 'unsupported' || isUnknownPath(error)));
  if (!isUnknown) return error;
  return new AppError(
    'unsupported',
    `n8n (${n8n}) does not offer ${method} ${path}. Check the path: GET /discover lists the endpoints that the API key may use.`,
    { cause: error, ...(error.data && { data: error.data }) },
  );
}

/** A model may send JSON as text, and null or an empty text for nothing. */
function bodyOf(body: unknown): object | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  const given = typeof body === 'string' ? parsed(body) : body;
  if (typeof given === 'object' && given !== null) return given;
  throw new AppError('invalid_input', '"body" must be a JSON object or list. Nothing was sent.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
