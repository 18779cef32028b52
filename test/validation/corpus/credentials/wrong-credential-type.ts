import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'wrong-credential-type';
const mine = { id: 'cR3d', name: 'Mine' };
const slack = (credentials: Record<string, unknown>, parameters: Record<string, unknown> = {}) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node(
        'Slack',
        'slack',
        2.3,
        {
          select: 'channel',
          channelId: { __rl: true, value: 'C0123456789', mode: 'id' },
          text: 'Hello',
          otherOptions: {},
          ...parameters,
        },
        { credentials },
      ),
    ],
    ['Start -> Slack'],
  );

export const cases: Case[] = [
  valid('an extra credential next to the right one', slack({ slackApi: mine, slackOAuth2Api: mine })),
  broken("another service's", slack({ githubApi: mine }), [
    { rule, path: '/nodes/1/credentials/githubApi', severity: 'error', says: 'slackApi' },
  ]),
  broken('a type that does not exist', slack({ slackAPI: mine }), [
    { rule, path: '/nodes/1/credentials/slackAPI', severity: 'error', says: '"slackApi"' },
  ]),
  broken('a credential for another authentication', slack({ slackApi: mine }, { authentication: 'oAuth2' }), [
    { rule, path: '/nodes/1/credentials/slackApi', severity: 'error', says: 'slackOAuth2Api' },
  ]),
  broken(
    "a request with another service's",
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node(
          'Fetch',
          'httpRequest',
          4.2,
          {
            url: 'https://example.com',
            authentication: 'predefinedCredentialType',
            nodeCredentialType: 'githubApi',
            options: {},
          },
          { credentials: { slackApi: mine } },
        ),
      ],
      ['Start -> Fetch'],
    ),
    [{ rule, path: '/nodes/1/credentials/slackApi', severity: 'error', says: 'githubApi' }],
  ),
  broken(
    'a credential that has another type on the instance',
    slack({ slackApi: mine }),
    [{ rule, path: '/nodes/1/credentials/slackApi', says: 'githubApi' }],
    { world: { credentials: [{ id: 'cR3d', name: 'Mine', type: 'githubApi' }] } },
  ),
];
