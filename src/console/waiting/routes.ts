import { late } from '../../kernel/late.ts';
import type { Everyone } from '../../host/part.ts';
import type { Person } from '../../host/waiting.ts';
import { localOwner } from '../../kernel/principal.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';

/** What waits for a person, in all rooms, and deciding about it. Each room judges who may see and decide what. */
export function waitingRoutes(rooms: Everyone['waiting']): Route[] {
  const open = late(async () => (await import('./lobby.ts')).createLobby(rooms));
  return [
    {
      path: '/api/v1/waiting',
      scope: 'tools:read',
      openapi: {
        operationId: 'listWaiting',
        summary: 'What waits for a person',
        tags: ['waiting'],
        responses: {
          200: {
            description: 'What waits, what expires soonest first',
            content: { 'application/json': { schema: list } },
          },
        },
      },
      handle: async (asked) => reply(await (await open()).list(asked.principal, personIn(asked))),
    },
    {
      method: 'POST',
      path: '/api/v1/waiting/:part/:id',
      scope: 'tools:read',
      openapi: {
        operationId: 'decide',
        summary: 'Approves or refuses something that waits',
        tags: ['waiting'],
        requestBody: { required: true, content: { 'application/json': { schema: decision } } },
        responses: {
          200: { description: 'What came of it', content: { 'application/json': { schema: decided } } },
        },
      },
      async handle(asked) {
        const [{ decisionIn }, all] = await Promise.all([import('./decision.ts'), open()]);
        const { part = '', id = '' } = asked.params;
        const given = await decisionIn(asked.request);
        return reply({ message: await all.decide(part, id, given, asked.principal, personIn(asked)) });
      },
    },
  ];
}

/**
 * While authentication is off, whoever opens the console on this machine is the owner. Assistants and their tools may send
 * requests, too, so it has to be our own page that asks; a browser says so, and no page can make it say so.
 */
function personIn({ request, principal, isBrowser, isInPerson }: RouteRequest): Person {
  if (principal === localOwner)
    return request.headers.get('sec-fetch-site') === 'same-origin' ? 'in person' : undefined;
  if (isInPerson === true) return 'in person';
  return isBrowser ? 'somebody' : undefined;
}

const reply = (body: object): Response => Response.json(body, { headers: { 'cache-control': 'no-store' } });

const text = (description: string) => ({ type: 'string', description });
const list = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          part: text('Where it waits'),
          id: text('Tells it from the others of its part'),
          kind: { enum: ['confirmation', 'approval', 'definition', 'sign-in'] },
          title: text('What is asked'),
          detail: { type: 'string' },
          by: text('Who asks'),
          data: { description: 'More to look at: the arguments of a call, without secrets' },
          since: { type: 'string', format: 'date-time' },
          expires: { type: 'string', format: 'date-time' },
          page: text('Where to see more, below /console/'),
          link: text('Where to do it instead: the address of a sign-in'),
          decides: { type: 'boolean', description: 'Whether you may approve or refuse it' },
          refuses: { type: 'boolean', description: 'Whether you may at least refuse it' },
          why: text('Why you may not decide, or not approve'),
        },
        required: ['part', 'id', 'kind', 'title', 'decides'],
      },
    },
    missing: {
      type: 'array',
      description: 'Parts that could not say what waits',
      items: {
        type: 'object',
        properties: { part: { type: 'string' }, reason: { type: 'string' } },
        required: ['part', 'reason'],
      },
    },
  },
  required: ['items', 'missing'],
};
const decision = {
  type: 'object',
  properties: { approve: { type: 'boolean' }, note: { type: 'string', maxLength: 2000 } },
  required: ['approve'],
};
const decided = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
