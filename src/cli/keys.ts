import { createKey, revokeKey } from '../auth/keys.ts';
import { authFacts } from '../auth/facts.ts';
import { toEvent } from '../kernel/events.ts';
import { spanOf } from '../kernel/moment.ts';
import type { Command } from '../kernel/command.ts';
import { readRate } from '../kernel/rate.ts';
import { traceFrom } from '../kernel/trace.ts';
import type { KeyGrant, Store, StoredKey } from '../store/store.ts';
import { exit, UsageError } from './frame.ts';
import { shortDuration } from '../host/short-duration.ts';
import { table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

export interface KeysDeps {
  /** The store of this home, whether or not a gateway runs. */
  open(): Promise<Store>;
  /** Who types, for the record. */
  readonly user: string;
}

const confirmations = ['never', 'destructive', 'writes'] as const;

type Values = Record<string, string | boolean | undefined>;

export function keysCommand({ open, user }: KeysDeps, terminal: Terminal): Command {
  const by = `cli:${user}`;

  async function create(values: Values): Promise<number> {
    const grant = grantOf(values, by, new Date());
    await using store = await open();
    const { id, key } = await createKey(store.keys, grant);
    const { name, scopes } = grant;
    const fact = { type: 'key.created', key: id, name, scopes: [...scopes], principal: by };
    await store.events.append([toEvent(authFacts, fact, traceFrom().traceId)]);
    if (values.json) {
      terminal.print(JSON.stringify({ id, key, ...grant }, null, 2));
      return exit.done;
    }
    terminal.print(key);
    terminal.say(
      `This is the only time the key ${name} is shown. Send it as \`Authorization: Bearer …\` or \`X-API-Key: …\`.\n` +
        `It allows ${scopes.join(', ')}${grant.expiresAt === undefined ? '' : ` until ${grant.expiresAt}`}, where sluice.yaml says \`auth: { mode: keys }\` (or both).`,
    );
    return exit.done;
  }

  async function list(values: Values): Promise<number> {
    await using store = await open();
    const keys = await store.keys.list();
    if (values.json) {
      const shown = keys.map(({ id, grant, revokedAt }) => ({ id, ...grant, ...(revokedAt && { revokedAt }) }));
      terminal.print(JSON.stringify(shown, null, 2));
    } else if (keys.length === 0) {
      terminal.say('There are no keys yet. Make one: sluice keys create --name claude');
    } else {
      const head = ['ID', 'NAME', 'STATE', 'SCOPES', 'LIMITS'];
      terminal.print(table([head, ...keys.map((key) => rowOf(key, Date.now()))], terminal.width).join('\n'));
    }
    return exit.done;
  }

  async function revoke(wanted: string | undefined): Promise<number> {
    if (wanted === undefined) throw new UsageError('say which key: its id or its name');
    await using store = await open();
    const { id, grant } = await revokeKey(store.keys, wanted, new Date());
    const fact = { type: 'key.revoked', key: id, name: grant.name, principal: by };
    await store.events.append([toEvent(authFacts, fact, traceFrom().traceId)]);
    terminal.say(`The key ${grant.name} (${id}) no longer works; a gateway that runs knows within a second.`);
    return exit.done;
  }

  return {
    name: 'keys',
    summary: 'Makes, lists and revokes API keys',
    usage: "sluice keys create --name N [--scopes S,S] [--tools 'G,G'] [--expires 90d] | list | revoke ID|NAME",
    example: "sluice keys create --name claude --scopes tools:read,tools:execute --tools 'github__*' --expires 90d",
    positionals: [1, 2],
    options: {
      name: { type: 'string', describe: 'What you call it' },
      scopes: {
        type: 'string',
        describe:
          'tools:read, tools:execute, health:check, admin, <source>:read|write|execute (tools:read,tools:execute)',
      },
      tools: { type: 'string', describe: 'Only these tools: globs over their names, with commas between' },
      expires: { type: 'string', describe: 'When it ends: 90d, 12h, or an ISO time (never)' },
      'read-only': { type: 'boolean', describe: 'Only tools that change nothing' },
      confirm: { type: 'string', describe: 'What must be confirmed: never, destructive or writes (destructive)' },
      rate: { type: 'string', describe: 'How often it may ask: 100/min, 5/s, 1000/h' },
      json: { type: 'boolean', describe: 'Print JSON' },
    },
    async run({ values, positionals: [action, wanted] }) {
      if (action === 'create' && wanted === undefined) return create(values);
      if (action === 'list' && wanted === undefined) return list(values);
      if (action === 'revoke') return revoke(wanted);
      throw new UsageError(`say create, list or revoke, not ${[action, wanted].filter(Boolean).join(' ')}`);
    },
  };
}

function grantOf(values: Values, createdBy: string, now: Date): KeyGrant {
  const { name, expires, rate } = values;
  if (typeof name !== 'string' || name.trim() === '') throw new UsageError('a key needs a name: --name claude');
  const confirm = confirmations.find((known) => known === values.confirm);
  if (values.confirm !== undefined && !confirm) {
    throw new UsageError(`--confirm is never, destructive or writes, not ${values.confirm}`);
  }
  if (typeof rate === 'string' && !readRate(rate)) throw new UsageError(`--rate is such as 100/min, not ${rate}`);
  const tools = listIn(values.tools);
  if (tools?.length === 0) throw new UsageError('--tools names no tool: leave it out for all of them');
  return {
    name: name.trim(),
    scopes: listIn(values.scopes) ?? ['tools:read', 'tools:execute'],
    ...(tools && { tools }),
    ...(values['read-only'] === true && { readOnly: true }),
    ...(confirm && { confirm }),
    ...(typeof rate === 'string' && { rate }),
    createdAt: now.toISOString(),
    createdBy,
    ...(typeof expires === 'string' && { expiresAt: endOf(expires, now) }),
  };
}

function listIn(text: string | boolean | undefined): string[] | undefined {
  if (typeof text !== 'string') return undefined;
  return text.split(',').flatMap((part) => part.trim() || []);
}

function endOf(text: string, now: Date): string {
  const span = spanOf(text);
  const end = span === undefined ? Date.parse(text) : now.getTime() + span;
  if (Number.isNaN(end)) throw new UsageError(`--expires is 90d, 12h or an ISO time, not ${text}`);
  if (end <= now.getTime()) throw new UsageError(`--expires ${text} is over already`);
  return new Date(end).toISOString();
}

function rowOf({ id, grant, revokedAt }: StoredKey, now: number): string[] {
  const { name, scopes, tools, readOnly, rate, confirm, expiresAt } = grant;
  const left = expiresAt === undefined ? undefined : Date.parse(expiresAt) - now;
  const working = left === undefined ? 'works' : left > 0 ? `ends in ${shortDuration(left)}` : 'expired';
  const limits = [
    ...(tools ? [`tools ${tools.join(' ')}`] : []),
    ...(readOnly ? ['read-only'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(confirm === undefined ? [] : [`confirm ${confirm}`]),
  ];
  return [id, name, revokedAt === undefined ? working : 'revoked', scopes.join(' '), limits.join(', ') || '-'];
}
