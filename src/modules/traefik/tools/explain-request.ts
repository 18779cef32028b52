import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import {
  type EntryPoint,
  entryPointAnswer,
  type Middleware,
  type Router,
  type Service,
  versionAnswer,
} from '../answers.ts';
import { type Choice, choose, entryPointFor, reasonsOf } from '../choose.ts';
import { elements } from '../configured.ts';
import { maskedRule, maskedText } from '../masked.ts';
import { shownPriority } from '../priority.ts';
import { qualified } from '../references.ts';
import { type Request, requestOf } from '../rules/request.ts';
import { serversOf } from '../servers.ts';
import { name as shownName, names, shownRule } from '../shown-elements.ts';
import { tcpFirst } from '../tcp-first.ts';
import { traefikTool } from '../tool.ts';

const MOST_LOSERS = 5;
const MOST_MISSES = 6;

const aboutRouter = z.object({ router: z.string(), why: z.string() });

export const explainRequest = traefikTool({
  name: 'traefik_explain_request',
  title: 'Explain request',
  description:
    'Which router gets a request and why: evaluates the rules of all HTTP routers as Traefik does. Shows the matchers that decided, routers that match but lose, near misses with the matcher that failed, then middlewares and service.',
  phrases:
    'why does this url return 404; which router handles this url; where does this request go; why does the wrong service answer; test a traefik rule; which middlewares run for this url',
  effect: 'read',
  input: z.strictObject({
    url: z.string().trim().min(1).max(4000).describe('https://shop.example.com/cart?x=1'),
    method: z
      .string()
      .regex(/^[A-Za-z-]{1,20}$/)
      .optional()
      .describe('GET unless given'),
    headers: z
      .record(z.string().min(1).max(200), z.string().max(4000))
      .optional()
      .describe('Host replaces that of the URL'),
    query: z
      .record(z.string().max(200), z.string().max(4000))
      .optional()
      .describe('Parameters besides those of the URL'),
    client_ip: z.string().max(60).optional().describe('Needed for rules with ClientIP'),
    entry_point: z.string().max(200).optional().describe('The one that listens on the port of the URL unless given'),
  }),
  output: z.object({
    answer: z.string(),
    request: z.object({
      method: z.string(),
      host: z.string(),
      path: z.string(),
      tls: z.boolean(),
      entry_point: z.string().optional(),
    }),
    winner: z
      .object({
        router: z.string(),
        rule: z.string(),
        priority: z.string(),
        matched: z.array(z.string()).describe('The matchers that made it match'),
        parents: z.array(z.string()).optional().describe('Routers that it is a child of'),
        middlewares: z.array(z.string()).describe('In the order in which they run'),
        service: z.string(),
        servers: z.array(z.string()).optional(),
      })
      .optional(),
    losers: z.array(aboutRouter).describe('They match, too'),
    near_misses: z.array(aboutRouter).describe('With the first matcher that failed'),
    not_judged: z.array(aboutRouter).describe('They would win if they match'),
    notes: z.array(z.string()),
  }),
  async run({ entry_point: entryPoint, ...asked }, traefik, { signal }, progress) {
    const request = requestOf(asked);
    const asking = { signal, progress };
    const [version, points, routers, middlewares, services, tcp] = await Promise.all([
      traefik.ask(versionAnswer, '/api/version', asking),
      traefik.all(entryPointAnswer, '/api/entrypoints', asking),
      elements(traefik, 'routers', ['http'], {}, asking),
      elements(traefik, 'middlewares', ['http'], {}, asking),
      elements(traefik, 'services', ['http'], {}, asking),
      elements(traefik, 'routers', ['tcp'], {}, asking),
    ]);
    const point = entryPointFor(request, points, entryPoint);
    if (entryPoint !== undefined && !point)
      throw new AppError(
        'not_found',
        `There is no entry point ${shortened(entryPoint, 100)}. There are ${names(points.map(({ name }) => name)).join(', ')}.`,
      );
    const isV2 = /^v?2\./.test(version.Version);
    const choice = choose(request, { routers, entryPoint: point?.name, isV2 });
    const first = tcpFirst(request, tcp, point?.name);
    const winner = winnerOf(choice, services, middlewares);
    const head = {
      answer: answerTo(choice, first.takes),
      request: {
        method: request.method,
        host: shortened(request.host, 200),
        path: shortened(request.path, 300),
        tls: request.isTls,
        ...(point && { entry_point: shownName(point.name) }),
      },
      ...(winner && { winner }),
      notes: notesOn(request, { point, points, choice, unjudgedTcp: first.unknown }),
    };
    const about = ({ router, why }: { router: Router; why: string }) => ({
      router: shownName(router.name),
      why: shortened(maskedText(maskedRule(why)), 300),
    });
    const unknown = choice.unknown.map(({ router, verdict }) => ({ router, why: reasonsOf(verdict.reasons) }));
    const lists = [
      unknown.slice(0, MOST_LOSERS).map(about),
      choice.losers.slice(0, MOST_LOSERS).map(about),
      choice.misses
        .filter(({ nearness }) => nearness > 0)
        .slice(0, MOST_MISSES)
        .map(about),
    ] as const;
    // The least important come last, and are left out first.
    let room = fittingItems(lists.flat(), head);
    const [notJudged = [], losers = [], misses = []] = lists.map((list) => {
      const fitting = list.slice(0, Math.max(0, room));
      room -= fitting.length;
      return fitting;
    });
    return { ...head, losers, near_misses: misses, not_judged: notJudged };
  },
});

function answerTo({ chain, unknown, isTie, misses }: Choice, tcp: Router | undefined): string {
  const winner = chain.at(-1)?.router;
  if (tcp) return `The TCP router ${shownName(tcp.name)} takes the connection before HTTP routers are asked.`;
  if (!winner && unknown.length > 0)
    return `It cannot be said: ${unknown.length} ${unknown.length === 1 ? 'rule' : 'rules'} cannot be judged. See not_judged.`;
  if (!winner)
    return `No router matches, so Traefik answers 404.${misses.some(({ nearness }) => nearness > 0) ? ' See near_misses.' : ''}`;
  const sure = unknown.length > 0 ? ' unless one of not_judged matches' : '';
  const tie = isTie ? ' Another router has the same priority: set one to be sure.' : '';
  return `${shownName(winner.name)} gets the request${sure}, and forwards it to ${shownName(qualified(winner.service, winner)) || 'no service'}.${tie}`;
}

function winnerOf({ chain }: Choice, services: readonly Service[], middlewares: readonly Middleware[]) {
  const last = chain.at(-1);
  if (!last) return undefined;
  const { router } = last;
  const service = qualified(router.service, router);
  const found = services.find(({ name }) => name === service);
  const servers = found ? serversOf(found) : [];
  const run = chain.flatMap((one) => one.router.middlewares.map((name) => qualified(name, one.router)));
  const types = new Map(middlewares.map((one) => [one.name, one]));
  return {
    router: shownName(router.name),
    rule: shownRule(router.rule),
    priority: shownPriority(router),
    matched: chain
      .flatMap(({ verdict }) => verdict.reasons.map(({ matcher }) => shortened(maskedRule(matcher), 150)))
      .slice(0, 8),
    ...(chain.length > 1 && { parents: chain.slice(0, -1).map((one) => shownName(one.router.name)) }),
    middlewares: run.slice(0, 12).map((name) => `${shortened(name, 100)} (${stateOf(types.get(name))})`),
    service: `${shownName(service)}${found ? ` (${[found.type, found.status].filter(Boolean).join(', ')})` : ' (does not exist)'}`,
    ...(servers.length > 0 && {
      servers: names(
        servers.map(({ at, status }) => `${shortened(at, 120)} (${status})`),
        5,
      ),
    }),
  };
}

const stateOf = (middleware: Middleware | undefined): string => {
  if (!middleware) return 'does not exist';
  return shortened(middleware.status === 'enabled' ? middleware.type : `${middleware.type}, ${middleware.status}`, 80);
};

function notesOn(
  request: Request,
  about: {
    point: EntryPoint | undefined;
    points: readonly EntryPoint[];
    choice: Choice;
    unjudgedTcp: readonly Router[];
  },
): string[] {
  const { point, points, choice, unjudgedTcp } = about;
  const redirect = point?.http?.redirections?.entryPoint;
  return [
    ...(point
      ? []
      : [
          `No single entry point listens on port ${request.port}, so routers of all of them were compared. Give entry_point: ${names(points.map(({ name }) => name)).join(', ')}.`,
        ]),
    ...(redirect?.to ? [`The entry point redirects to ${shortened(redirect.to, 60)}.`] : []),
    ...(choice.chain.length > 1 ? ['Middlewares of parents may change the request before children are compared.'] : []),
    ...(unjudgedTcp.length > 0
      ? [
          `TCP routers on the same entry point come first and were not judged: ${names(
            unjudgedTcp.map(({ name }) => name),
            3,
          ).join(', ')}.`,
        ]
      : []),
  ];
}
