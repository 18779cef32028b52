import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'missing-credential';
const slack = (parameters: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  flow(
    [
      node('Start', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
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
        more,
      ),
    ],
    ['Start -> Slack'],
  );
const request = (parameters: Record<string, unknown>) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {}, ...parameters }),
    ],
    ['Start -> Fetch'],
  );

export const cases: Case[] = [
  valid('a node that is switched off', slack({}, { disabled: true })),
  valid('a request without any', request({})),
  valid(
    'the one that this way of signing in needs',
    slack({ authentication: 'oAuth2' }, { credentials: { slackOAuth2Api: { id: 'a', name: 'Mine' } } }),
  ),
  valid('without any, as far as saving is concerned', slack({}), { purpose: 'save' }),
  broken('none, for a run', slack({}), [{ rule, path: '/nodes/1', severity: 'warning', says: 'slackApi' }]),
  broken('none, for publishing', slack({}), [{ rule, path: '/nodes/1', severity: 'error' }], { purpose: 'publish' }),
  broken('none, with another way of signing in', slack({ authentication: 'oAuth2' }), [
    { rule, path: '/nodes/1', says: 'slackOAuth2Api' },
  ]),
  broken(
    'none of the service that is to be used',
    request({ authentication: 'predefinedCredentialType', nodeCredentialType: 'githubApi' }),
    [{ rule, path: '/nodes/1', says: 'githubApi' }],
  ),
  broken(
    'none of the general kind that is to be used',
    request({ authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' }),
    [{ rule, path: '/nodes/1', says: 'httpBasicAuth' }],
  ),
];
