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
  valid('a disabled node', slack({}, { disabled: true })),
  valid('a request without authentication', request({})),
  valid(
    'the credential for this authentication',
    slack({ authentication: 'oAuth2' }, { credentials: { slackOAuth2Api: { id: 'a', name: 'Mine' } } }),
  ),
  valid('none, to be saved', slack({}), { purpose: 'save' }),
  broken('none, for a run', slack({}), [{ rule, path: '/nodes/1', severity: 'warning', says: 'slackApi' }]),
  broken('none, for publishing', slack({}), [{ rule, path: '/nodes/1', severity: 'error' }], { purpose: 'publish' }),
  broken('none, with another authentication', slack({ authentication: 'oAuth2' }), [
    { rule, path: '/nodes/1', says: 'slackOAuth2Api' },
  ]),
  broken(
    'none for the chosen service',
    request({ authentication: 'predefinedCredentialType', nodeCredentialType: 'githubApi' }),
    [{ rule, path: '/nodes/1', says: 'githubApi' }],
  ),
  broken(
    'none for the chosen generic type',
    request({ authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' }),
    [{ rule, path: '/nodes/1', says: 'httpBasicAuth' }],
  ),
];
