import { userInfo } from 'node:os';
import { exit, UsageError } from '../../cli/frame.ts';
import { table } from '../../cli/table.ts';
import { choiceIn, configOption, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Values, Verbs } from '../../kernel/command.ts';
import { toEvent } from '../../kernel/events.ts';
import { traceFrom } from '../../kernel/trace.ts';
import type { KeyGrant, StoredKey } from '../../store/store.ts';
import { authFacts } from '../facts.ts';
import { confirmations, readGrant } from '../grant.ts';
import { createKey, revokeKey } from '../keys.ts';

export function keysCommand({ store: open, terminal }: Pick<Place, 'store' | 'terminal'>): Verbs {
  const by = `cli:${userInfo().username}`;

  return {
    example: "sluice keys create --name claude --scopes tools:read,tools:execute --tools 'github__*' --expires 90d",
    verbs: {
      create: {
        summary: 'Creates a key and prints it, once',
        usage: "--name N [--scopes S,S] [--tools 'G,G'] [--expires 90d] [--read-only] [--confirm C] [--rate R]",
        example: 'sluice keys create --name claude --expires 90d',
        options: {
          name: { type: 'string', describe: 'What you call it' },
          scopes: {
            type: 'string',
            describe:
              'tools:read, tools:execute, health:check, admin, <source>:read|write|execute (tools:read,tools:execute)',
          },
          tools: { type: 'string', describe: 'Only these tools: name patterns, separated by commas' },
          expires: { type: 'string', describe: 'When it expires: 90d, 12h, or an ISO time (never)' },
          'read-only': { type: 'boolean', describe: 'Only tools that change nothing' },
          confirm: {
            type: 'string',
            describe: 'Which calls need confirmation: never, destructive or writes (destructive)',
          },
          rate: { type: 'string', describe: 'Rate limit: 100/min, 5/s, 1000/h' },
          config: configOption,
          json: jsonOption,
        },
        async run({ values }) {
          const grant = grantOf(values, by, new Date());
          await using store = await open(textIn(values, 'config'));
          const { id, key } = await createKey(store.keys, grant);
          const { name, scopes, expiresAt } = grant;
          const fact = { type: 'key.created', key: id, name, scopes: [...scopes], principal: by };
          await store.events.append([toEvent(authFacts, fact, traceFrom().traceId)]);
          if (values.json) {
            terminal.print(JSON.stringify({ id, key, ...grant }, null, 2));
            return exit.done;
          }
          terminal.print(key);
          terminal.say(
            `The key ${name} is shown only now. Send it as \`Authorization: Bearer …\` or \`X-API-Key: …\`.\n` +
              `It allows ${scopes.join(', ')}${expiresAt === undefined ? '' : ` until ${expiresAt}`}. Sluice asks for keys if sluice.yaml says \`auth: { mode: keys }\` (or both).`,
          );
          return exit.done;
        },
      },
      list: {
        summary: 'Lists the keys, without their secrets',
        usage: '[--json]',
        example: 'sluice keys list',
        options: { config: configOption, json: jsonOption },
        async run({ values }) {
          await using store = await open(textIn(values, 'config'));
          const keys = await store.keys.list();
          if (values.json) {
            const shown = keys.map(({ id, grant, revokedAt }) => ({ id, ...grant, ...(revokedAt && { revokedAt }) }));
            terminal.print(JSON.stringify(shown, null, 2));
          } else if (keys.length === 0) {
            terminal.say('There are no keys yet. Create one: sluice keys create --name claude');
          } else {
            const head = ['ID', 'NAME', 'STATE', 'SCOPES', 'LIMITS'];
            terminal.print(table([head, ...keys.map((key) => rowOf(key, Date.now()))], terminal.width).join('\n'));
          }
          return exit.done;
        },
      },
      revoke: {
        summary: 'Revokes a key',
        usage: 'ID|NAME',
        example: 'sluice keys revoke claude',
        positionals: [1, 1],
        options: { config: configOption },
        async run({ values, positionals: [wanted = ''] }) {
          await using store = await open(textIn(values, 'config'));
          const { id, grant } = await revokeKey(store.keys, wanted, new Date());
          const fact = { type: 'key.revoked', key: id, name: grant.name, principal: by };
          await store.events.append([toEvent(authFacts, fact, traceFrom().traceId)]);
          terminal.say(`Revoked the key ${grant.name} (${id}). A running gateway refuses it within a second.`);
          return exit.done;
        },
      },
    },
  };
}

function grantOf(values: Values, by: string, now: Date): KeyGrant {
  const { name, expires, rate } = values;
  if (typeof name !== 'string' || name.trim() === '') throw new UsageError('a key needs a name: --name claude');
  const asked = {
    name,
    scopes: listIn(values.scopes),
    tools: listIn(values.tools),
    expires: typeof expires === 'string' ? expires : undefined,
    readOnly: values['read-only'] === true,
    confirm: choiceIn(values, 'confirm', confirmations),
    rate: typeof rate === 'string' ? rate : undefined,
  };
  const grant = readGrant(asked, by, now);
  if ('field' in grant) throw new UsageError(`--${grant.field} ${grant.message}`);
  return grant;
}

const listIn = (text: string | boolean | undefined): string[] | undefined =>
  typeof text === 'string' ? text.split(',') : undefined;

function rowOf({ id, grant, revokedAt }: StoredKey, now: number): string[] {
  const { name, scopes, tools, readOnly, rate, confirm, expiresAt } = grant;
  const left = expiresAt === undefined ? undefined : Date.parse(expiresAt) - now;
  const working = left === undefined ? 'works' : left > 0 ? `expires in ${shortDuration(left)}` : 'expired';
  const limits = [
    ...(tools ? [`tools ${tools.join(' ')}`] : []),
    ...(readOnly ? ['read-only'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(confirm === undefined ? [] : [`confirm ${confirm}`]),
  ];
  return [id, name, revokedAt === undefined ? working : 'revoked', scopes.join(' '), limits.join(', ') || '-'];
}
