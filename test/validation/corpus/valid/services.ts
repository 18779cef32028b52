import { type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const with1 = (one: ReturnType<typeof node>) => flow([start, one], [`Start -> ${one.name}`]);
const using = (type: string) => ({ credentials: { [type]: { id: 'cR3d', name: 'Mine' } } });

export const cases: Case[] = [
  valid(
    'a message to a channel',
    with1(
      node(
        'Slack',
        'slack',
        2.3,
        {
          select: 'channel',
          channelId: { __rl: true, value: 'C0123456789', mode: 'id' },
          text: '={{ $json.text }}',
          otherOptions: {},
        },
        using('slackApi'),
      ),
    ),
  ),
  valid(
    'a row for a sheet',
    with1(
      node(
        'Sheet',
        'googleSheets',
        4.5,
        {
          operation: 'append',
          documentId: { __rl: true, value: '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg', mode: 'id' },
          sheetName: { __rl: true, value: 'gid=0', mode: 'list', cachedResultName: 'Sheet1' },
          columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
          options: {},
        },
        using('googleSheetsOAuth2Api'),
      ),
    ),
  ),
  valid(
    'a query with parameters',
    with1(
      node(
        'Query',
        'postgres',
        2.6,
        {
          operation: 'executeQuery',
          query: 'SELECT * FROM orders WHERE id = $1',
          options: { queryReplacement: '={{ $json.id }}' },
        },
        using('postgres'),
      ),
    ),
  ),
  valid(
    'an e-mail',
    with1(
      node(
        'Mail',
        'emailSend',
        2.1,
        {
          fromEmail: 'a@example.com',
          toEmail: 'b@example.com',
          subject: 'Hello',
          emailFormat: 'text',
          text: 'Hello',
          options: {},
        },
        using('smtp'),
      ),
    ),
  ),
  valid(
    'a message by a bot',
    with1(
      node(
        'Telegram',
        'telegram',
        1.2,
        {
          chatId: '={{ $json.chat }}',
          text: 'Hello',
          additionalFields: {},
        },
        using('telegramApi'),
      ),
    ),
  ),
  valid(
    'an issue',
    with1(
      node(
        'GitHub',
        'github',
        1.1,
        {
          resource: 'issue',
          operation: 'create',
          owner: { __rl: true, value: 'somebody', mode: 'name' },
          repository: { __rl: true, value: 'something', mode: 'name' },
          title: 'A title',
          body: 'A body',
          labels: [],
          assignees: [],
        },
        using('githubApi'),
      ),
    ),
  ),
  valid(
    'a key in the store',
    with1(node('Redis', 'redis', 1, { operation: 'set', key: 'a', value: 'b' }, using('redis'))),
  ),
  valid(
    'a request with a credential',
    with1(
      node(
        'Fetch',
        'httpRequest',
        4.2,
        {
          url: 'https://example.com',
          authentication: 'genericCredentialType',
          genericAuthType: 'httpHeaderAuth',
          options: {},
        },
        using('httpHeaderAuth'),
      ),
    ),
  ),
  valid(
    "a request with a service's credential",
    with1(
      node(
        'Fetch',
        'httpRequest',
        4.2,
        {
          url: 'https://slack.com/api/users.list',
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'slackApi',
          options: {},
        },
        using('slackApi'),
      ),
    ),
  ),
];
