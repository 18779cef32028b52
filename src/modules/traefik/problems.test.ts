import { expect, test } from 'vitest';
import { entryPointAnswer, routerAnswer, serviceAnswer } from './answers.ts';
import { problemsIn } from './problems.ts';

const points = [
  { name: 'web', address: ':80', http: { redirections: { entryPoint: { to: 'secure' } } } },
  { name: 'plain', address: ':80' },
  { name: 'secure', address: ':443' },
].map((point) => entryPointAnswer.parse(point));

const services = [
  {
    name: 'up@file',
    provider: 'file',
    loadBalancer: { servers: [{ url: 'http://a' }] },
    serverStatus: { 'http://a': 'UP' },
  },
];

const said = (routers: object[], more: object[] = []) =>
  problemsIn(
    [
      {
        protocol: 'http',
        routers: routers.map((one) =>
          routerAnswer.parse({
            name: 'r@file',
            provider: 'file',
            rule: 'Host(`x`)',
            service: 'up',
            entryPoints: ['plain'],
            ...one,
          }),
        ),
        services: [...services, ...more].map((one) => serviceAnswer.parse(one)),
        middlewares: [],
      },
    ],
    points,
  ).map(({ severity, name, problem }) => `${severity} ${name}: ${problem}`);

test.each<[object[], object[], (string | RegExp)[]]>([
  [[{}], [], []],
  [[{ tls: {}, entryPoints: ['web'] }], [], [/^warning .* only redirects to secure/]],
  [[{ tls: {}, entryPoints: ['plain'] }], [], [/^warning .* is on port 80/]],
  [[{ entryPoints: ['secure'] }], [], [/^warning .* HTTPS requests never reach it/]],
  [[{ service: 'up@docker' }], [], ['error r@file: The service up@docker does not exist.']],
  [[{ service: 'api@internal' }], [], []],
  [[{ status: 'warning' }], [], ['warning r@file: Traefik reports the status warning.']],
  [
    [{}, { name: 's@file', rule: 'Host( `x` )', priority: 9 }],
    [],
    [/^warning r@file: It has the same rule and priority as s@file/],
  ],
  [[{}, { name: 's@file', tls: {}, entryPoints: ['secure'] }], [], []],
  [[{}, { name: 's@file', priority: 5 }], [], []],
  [
    [],
    [{ name: 'd@file', loadBalancer: { servers: [{ url: 'http://b' }] }, serverStatus: { 'http://b': 'DOWN' } }],
    [/^error d@file: 1 of 1 servers are down: http:\/\/b/],
  ],
  [[], [{ name: 'e@file', loadBalancer: { servers: null } }], [/^error e@file: It has no servers/]],
])('%j with %j', (routers, more, expected) => {
  const found = said(routers, more);
  expect(found).toHaveLength(expected.length);
  for (const [n, line] of expected.entries()) expect(found[n]).toMatch(line);
});
