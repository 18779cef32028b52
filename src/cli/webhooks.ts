import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import { waitingIn } from '../store/outbox-waiting.ts';
import type { DeadEvent, OutboxPlace, Store } from '../store/store.ts';
import { shortDuration } from '../host/short-duration.ts';
import { exit, UsageError } from './frame.ts';
import { firstLine, table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

export interface WebhooksDeps {
  /** The store of this home, whether or not a gateway runs. */
  open(): Promise<Pick<Store, 'outbox'> & AsyncDisposable>;
}

const SHOWN = 1000;

type Values = Record<string, string | boolean | undefined>;

/** What waits for each webhook, and what was set aside: seen, tried again, or thrown away. */
export function webhooksCommand({ open }: WebhooksDeps, terminal: Terminal): Command {
  async function list({ json }: Values): Promise<number> {
    await using store = await open();
    const places = await store.outbox.list();
    const lastId = await store.outbox.lastId();
    const rows = await Promise.all(
      places.map(async (place) => ({
        ...place,
        oldest: (await store.outbox.oldest(place.deliveredTo))?.toISOString(),
      })),
    );
    if (json) {
      const shown = rows.map(({ gaps, deliveredTo, ...row }) => ({
        ...row,
        waiting: waitingIn({ gaps, deliveredTo }, lastId),
      }));
      terminal.print(JSON.stringify(shown, null, 2));
    } else if (rows.length === 0) {
      terminal.say('No webhook has been used yet. Name one in sluice.yaml: events: { webhook: { url: … } }');
    } else {
      const head = ['WEBHOOK', 'DELIVERED', 'WAITING', 'OLDEST', 'SET ASIDE', 'SKIPPED', 'PROBLEM'];
      const lines = rows.map((row) => rowOf(row, waitingIn(row, lastId), row.oldest, Date.now()));
      terminal.print(table([head, ...lines], terminal.width).join('\n'));
    }
    return exit.done;
  }

  async function dead({ json, webhook }: Values): Promise<number> {
    await using store = await open();
    const found = await store.outbox.dead({ limit: SHOWN, ...(typeof webhook === 'string' && { webhook }) });
    if (json) terminal.print(JSON.stringify(found.map(shownOf), null, 2));
    else if (found.length === 0) terminal.say('Nothing was set aside.');
    else {
      const head = ['ID', 'WEBHOOK', 'EVENT', 'HAPPENED', 'TRIES', 'REASON', 'DATA'];
      terminal.print(table([head, ...found.map(deadRowOf)], terminal.width).join('\n'));
      terminal.say(
        '`sluice webhooks retry ID|all` sends them once more, `sluice webhooks discard ID|all` gives them up.',
      );
    }
    return exit.done;
  }

  async function change(action: 'retry' | 'discard', which: string | undefined, { webhook }: Values): Promise<number> {
    if (which === undefined || !(which === 'all' || /^\d{1,15}$/.test(which)))
      throw new UsageError(`say which: the ID that \`sluice webhooks dead\` shows, or all`);
    await using store = await open();
    const wanted = {
      ...(typeof webhook === 'string' && { webhook }),
      ...(which !== 'all' && { id: Number(which) }),
    };
    const count = await store.outbox[action](wanted);
    if (count === 0) throw new AppError('not_found', 'no such event was set aside. `sluice webhooks dead` lists them.');
    const events = count === 1 ? '1 event' : `${count} events`;
    terminal.say(
      action === 'retry'
        ? `${events} will be sent once more by the gateway that runs, or the next one.`
        : `${events} given up; the log still has what it keeps.`,
    );
    return exit.done;
  }

  return {
    name: 'webhooks',
    summary: 'Shows what waits for each webhook, and retries what was set aside',
    usage: 'sluice webhooks [list | dead | retry ID|all | discard ID|all] [--webhook NAME] [--json]',
    example: 'sluice webhooks retry all',
    positionals: [0, 2],
    options: {
      webhook: { type: 'string', describe: 'Only this one, by its name' },
      json: { type: 'boolean', describe: 'Print as JSON' },
    },
    async run({ values, positionals: [action = 'list', which] }) {
      if (action === 'retry' || action === 'discard') return change(action, which, values);
      if (which !== undefined) throw new UsageError(`there is no place for ${which}`);
      if (action === 'list') return list(values);
      if (action === 'dead') return dead(values);
      throw new UsageError(`${action} is not list, dead, retry or discard`);
    },
  };
}

function rowOf(place: OutboxPlace, waiting: number, oldest: string | undefined, now: number): string[] {
  const { webhook, delivered, dead, skipped, problem } = place;
  const age = waiting > 0 && oldest !== undefined ? shortDuration(now - Date.parse(oldest)) : '-';
  const trouble = problem ? `for ${shortDuration(now - Date.parse(problem.since))}: ${firstLine(problem.reason)}` : '';
  return [webhook, String(delivered), String(waiting), age, String(dead), String(skipped), trouble];
}

function deadRowOf({ webhook, event, reason, tries, again }: DeadEvent): string[] {
  const why = again ? `${reason} (will be tried again)` : reason;
  const happened = new Date(event.at).toISOString();
  return [String(event.id), webhook, event.event_type, happened, String(tries), why, firstLine(event.data)];
}

function shownOf({ event: { at, data, ...event }, ...dead }: DeadEvent) {
  const whole = { ...event, timestamp: new Date(at).toISOString(), data: JSON.parse(data) as unknown };
  return { ...dead, event: whole };
}
