import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Comparison, compared } from './comparison.ts';

type Label = 'duplicate' | 'contradiction' | 'neither';

/** The new text, one that exists, and how a careful reader labels the two. All but the last third were written first. */
const pairs: readonly (readonly [now: string, before: string, label: Label])[] = [
  // The same thing in nearly the same words.
  ['Redis listens on port 6380.', 'redis listens on port 6380', 'duplicate'],
  ['The backup of atlas runs at 02:30.', 'The backups of atlas run at 02:30', 'duplicate'],
  ['Anna prefers tea over coffee.', 'Anna prefers tea over coffee', 'duplicate'],
  ['Our Postgres is version 16.2 now', 'Our Postgres is version 16.2', 'duplicate'],
  ['The staging server is called hermes.', 'the staging server is called Hermes', 'duplicate'],
  ['Deploys are frozen on Fridays.', 'Deploys are frozen on Fridays!', 'duplicate'],
  ['Marek is allergic to nuts', 'Marek is allergic to nuts.', 'duplicate'],
  ['Grafana is at https://grafana.example.com', 'Grafana is at grafana.example.com', 'duplicate'],
  ['The wifi password of the office is in Vaultwarden.', 'The office wifi password is in Vaultwarden', 'duplicate'],
  ['We decided against Kubernetes.', 'We decided against Kubernetes', 'duplicate'],
  ['API keys expire after 90 days.', 'The API keys expire after 90 days', 'duplicate'],
  ['Ines leads the product team', 'Ines leads the product team.', 'duplicate'],
  // Another value of the same thing.
  ['Postgres listens on port 5433.', 'Postgres listens on port 5432.', 'contradiction'],
  ['Redis now runs on port 6380', 'Redis runs on port 6379', 'contradiction'],
  ['The nightly backup starts at 03:15.', 'The nightly backup starts at 02:30.', 'contradiction'],
  ['We use Postgres version 17.1', 'We use Postgres version 16.2', 'contradiction'],
  ['API keys expire after 30 days.', 'API keys expire after 90 days.', 'contradiction'],
  ['The gateway has the address 10.0.0.9', 'The gateway has the address 10.0.0.7', 'contradiction'],
  ['The team meeting is on Tuesday at 10.', 'The team meeting is on Monday at 10.', 'contradiction'],
  ['Backups go to Backblaze.', 'Backups go to Hetzner.', 'contradiction'],
  ['Anna lives in Hamburg.', 'Anna lives in Berlin.', 'contradiction'],
  ['The release is planned for 14 May.', 'The release is planned for 2 May.', 'contradiction'],
  ['The invoice is due on 2026-04-30.', 'The invoice is due on 2026-03-31.', 'contradiction'],
  ['Registration is disabled on Gitea.', 'Registration is enabled on Gitea.', 'contradiction'],
  ['The admin page is public.', 'The admin page is private.', 'contradiction'],
  ['Port 22 is closed on atlas.', 'Port 22 is open on atlas.', 'contradiction'],
  ['Marek is not allergic to nuts.', 'Marek is allergic to nuts.', 'contradiction'],
  ['We no longer use Kubernetes.', 'We use Kubernetes.', 'contradiction'],
  ["Anna doesn't eat meat.", 'Anna eats meat.', 'contradiction'],
  ['The monthly price of the server is 59 EUR', 'The monthly price of the server is 49 EUR', 'contradiction'],
  [
    'restic keeps 14 daily, 4 weekly and 12 monthly snapshots',
    'restic keeps 7 daily, 4 weekly and 12 monthly snapshots',
    'contradiction',
  ],
  ['The certificate is renewed weekly.', 'The certificate is renewed monthly.', 'contradiction'],
  ['Priya is on call in March.', 'Priya is on call in April.', 'contradiction'],
  ['The uploads folder is excluded from the backup', 'The uploads folder is included in the backup', 'contradiction'],
  ['Two-factor login is optional for admins.', 'Two-factor login is required for admins.', 'contradiction'],
  ['The timeout of the proxy is 300s', 'The timeout of the proxy is 60s', 'contradiction'],
  ['The database stays on atlas.', 'The database moved away from atlas.', 'contradiction'],
  ['Ines is the owner of the billing service.', 'Marek is the owner of the billing service.', 'contradiction'],
  ['The light theme is the default of the console', 'The dark theme is the default of the console', 'contradiction'],
  [
    'Deploys happen twice a week. Marek approves them.',
    'Deploys happen once a week. Marek approves them.',
    'contradiction',
  ],
  // Near, and neither.
  ['Postgres listens on port 5432.', 'Redis listens on port 6379.', 'neither'],
  ['The staging database listens on port 5433.', 'The production database listens on port 5432.', 'neither'],
  ["Anna's birthday is on 3 May.", "Ben's birthday is on 7 June.", 'neither'],
  ['Anna likes tea.', 'Anna likes coffee.', 'neither'],
  ['Anna likes tea.', 'Ben likes tea.', 'neither'],
  ['Invoice 1041 was paid.', 'Invoice 1042 was paid.', 'neither'],
  ['Ticket #311 is about the login page', 'Ticket #312 is about the login page', 'neither'],
  ['atlas was rebooted on 3 May.', 'atlas was rebooted on 9 June.', 'neither'],
  ['On 14 June atlas stopped accepting writes.', 'On 3 May atlas stopped accepting writes.', 'neither'],
  ['Server 1 is in Frankfurt.', 'Server 2 is in Helsinki.', 'neither'],
  ['The server is old.', 'The server is loud.', 'neither'],
  ['Redis runs on atlas.', 'Redis listens on port 6379.', 'neither'],
  ['The backup runs at 02:30 and takes 40 minutes.', 'The backup runs at 02:30.', 'neither'],
  ['Marek is on holiday in July.', 'Marek is the on-call engineer in August.', 'neither'],
  ['The office in Berlin closes at 18:00.', 'The office in Porto closes at 19:00.', 'neither'],
  ['Restart the worker after a deploy.', 'Restart the worker after a migration.', 'neither'],
  ['Do not restart the worker during a deploy.', 'Restart the worker after a migration.', 'neither'],
  ['Chapter 3 explains the setup of the database.', 'Chapter 4 explains the setup of the database.', 'neither'],
  ['Caddy has a read timeout of 300s for /export only.', 'Caddy has a read timeout of 30s for /api.', 'neither'],
  ['The price of the small plan is 9 EUR.', 'The price of the large plan is 29 EUR.', 'neither'],
  ['Hannah keeps the books.', 'Hannah writes the contracts.', 'neither'],
  ['I met Priya in Lisbon.', 'I met Priya in Porto.', 'neither'],
  ['The disk of hermes is 2 TB.', 'The disk of atlas is 4 TB.', 'neither'],
  ['Tests of the API take 4 minutes.', 'Tests of the console take 9 minutes.', 'neither'],
  ['We never deploy on Fridays.', 'Fridays are for reading and learning.', 'neither'],
  ['Use pnpm in the console repository.', 'Use npm in the gateway repository.', 'neither'],
  ['Greenleaf gets 15 percent off.', 'Okapi gets 10 percent off.', 'neither'],
  ['The Monday meeting is about planning.', 'The Thursday meeting is about planning.', 'neither'],
  // Written after the comparison.
  [
    'The VPN of the office uses WireGuard on port 51821',
    'The VPN of the office uses WireGuard on port 51820',
    'contradiction',
  ],
  ['Log files are kept for 14 days', 'Log files are kept for 30 days', 'contradiction'],
  ['The on-call phone number is in the wiki', 'The on-call phone number is in the safe', 'neither'],
  ['Our domain is registered at Gandi', 'Our domain is registered at Namecheap', 'contradiction'],
  ['The build uses Node 22', 'The build uses Node 24', 'contradiction'],
  ['Feature flags are stored in Unleash.', 'Feature flags are stored in LaunchDarkly.', 'contradiction'],
  ['The cron job is active', 'The cron job is inactive', 'contradiction'],
  ['Priya drinks coffee with milk', 'Priya drinks coffee without milk', 'contradiction'],
  ['Maria is the manager of the Lisbon office', 'Joana is the manager of the Lisbon office', 'contradiction'],
  ['The lease ends in June', 'The lease ends in September', 'contradiction'],
  ['Emails are sent via Postmark', 'Emails are sent via Postmark.', 'duplicate'],
  [
    'The TLS certificate of hermes expires on 2026-09-01',
    'The TLS certificate of atlas expires on 2026-10-01',
    'neither',
  ],
  ['Our SLA is 99.9%', 'Our SLA is 99.5%', 'contradiction'],
  ['SSH logins with a password are not allowed', 'SSH logins with a password are allowed', 'contradiction'],
  ['The parking space is number 14', 'The parking space is number 41', 'contradiction'],
  ['The kitchen light is broken', 'The kitchen light is dim', 'neither'],
  ['Ada has two cats', 'Ada has three cats', 'contradiction'],
  ['Ada has a cat', 'Ada has a dog', 'neither'],
  ['Call the landlord about the heating', 'Call the landlord about the window', 'neither'],
  ['Lunch with Piotr on Friday', 'Lunch with Marek on Friday', 'neither'],
  ['Lunch with Piotr on Friday', 'Lunch with Piotr on Thursday', 'neither'],
  ['Disk usage on atlas was 81% on Monday', 'Disk usage on atlas was 84% on Tuesday', 'neither'],
  ['Version 2.4 added dark mode', 'Version 2.5 added export', 'neither'],
  ['We renewed the domain in 2024', 'We renewed the domain in 2025', 'neither'],
  ['The password policy requires 12 characters', 'The password policy requires 16 characters', 'contradiction'],
  ['Staging runs Postgres 16', 'Production runs Postgres 15', 'neither'],
  ['Tomasz works from Gdynia', 'Tomasz works from Warsaw', 'contradiction'],
  ['Use tabs for indentation', 'Use spaces for indentation', 'neither'],
  ['The customer portal is at portal.example.com', 'The customer portal is at my.example.com', 'neither'],
  ['Ticket 88 blocks ticket 90', 'Ticket 90 blocks ticket 88', 'neither'],
  ['The API rate limit is 100 requests a minute', 'The API rate limit is 60 requests a minute', 'contradiction'],
  ['The standup is at 9:30', 'The standup takes 15 minutes', 'neither'],
  ['Backups run every 6 hours', 'The backups run every 6 hours', 'duplicate'],
  ['Sensor 4 reports 21 degrees', 'Sensor 4 reports 23 degrees', 'neither'],
  ['', 'Redis runs on atlas.', 'neither'],
  ['🚀🚀🚀', '🎉', 'neither'],
];

const labelled = ({ duplicateOf, contradicts }: Comparison): Label =>
  duplicateOf ? 'duplicate' : contradicts.length > 0 ? 'contradiction' : 'neither';

const labelOf = async (now: string, before: string): Promise<Label> =>
  labelled(await compared(now, [{ id: 'before', text: before }]));

describe('labelled pairs', async () => {
  const labels = await Promise.all(pairs.map(async ([now, before]) => labelOf(now, before)));

  test('there are enough', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(60);
  });

  const precision = (label: Label) => {
    const named = pairs.filter((_, at) => labels[at] === label);
    return named.filter(([, , right]) => right === label).length / named.length;
  };
  const recall = (label: Label) => {
    const found = labels.filter((found, at) => found === label && pairs[at]?.[2] === label);
    return found.length / pairs.filter((pair) => pair[2] === label).length;
  };

  // A wrong warning costs more than none.
  test.each([
    { label: 'duplicate', right: 1, found: 0.9 },
    { label: 'contradiction', right: 0.92, found: 0.9 },
  ] as const)('names a $label where there is one', ({ label, right, found }) => {
    expect(precision(label)).toBeGreaterThanOrEqual(right);
    expect(recall(label)).toBeGreaterThanOrEqual(found);
  });
});

test('says what differs', async () => {
  const reason = async (now: string, before: string) =>
    (await compared(now, [{ id: 'a', text: before }])).contradicts[0]?.reason;
  expect(await reason('Postgres listens on port 5433.', 'Postgres listens on port 5432.')).toBe(
    '5433 here, 5432 there',
  );
  expect(await reason('Registration is disabled.', 'Registration is enabled.')).toBe(
    '"disabled" here, "enabled" there',
  );
  expect(await reason('We no longer use Kubernetes.', 'We use Kubernetes.')).toBe('denied here, said there');
  expect(await reason('Anna lives in Hamburg.', 'Anna lives in Berlin.')).toBe('Hamburg here, Berlin there');
});

test('compares with every text, and names the nearest duplicate', async () => {
  const result = await compared('Redis listens on port 6380.', [
    { id: 'other', text: 'Redis listens on port 6379.', cosine: 0.98 },
    { id: 'same', text: 'redis listens on port 6380', cosine: 0.97 },
    { id: 'far', text: 'Redis listens on port 6381.', cosine: 0.2 },
  ]);
  expect(result).toEqual({ duplicateOf: 'same', contradicts: [{ id: 'other', reason: '6380 here, 6379 there' }] });
});

test('a text is a duplicate of itself and never contradicts itself, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.lorem({ mode: 'sentences' }), fc.string({ unit: 'grapheme' })), async (text) => {
      const { duplicateOf, contradicts } = await compared(text, [{ id: 'a', text }]);
      expect(contradicts).toEqual([]);
      if (/\p{L}/u.test(text)) expect(duplicateOf).toBe('a');
    }),
    { numRuns: 300 },
  );
});
