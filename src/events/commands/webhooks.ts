import { exit, UsageError } from '../../cli/frame.ts';
import { firstLine, table } from '../../cli/table.ts';
import { configOption, given, jsonOption, textIn } from '../../cli/values.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { CommandOption, Verb, Verbs } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { waitingIn } from '../../store/outbox-waiting.ts';
import type { DeadEvent, OutboxPlace, Store } from '../../store/store.ts';

interface WebhooksPlace {
  readonly terminal: Terminal;
  store(file?: string): Promise<Pick<Store, 'outbox'> & AsyncDisposable>;
}

const SHOWN = 1000;

const webhookOption: CommandOption = { type: 'string', describe: 'Only this webhook, by its name' };

/** What waits for each webhook, and what was set aside: shown, retried or discarded. */
export function webhooksCommand({ store: open, terminal }: WebhooksPlace): Verbs {
  const change = (action: 'retry' | 'discard', done: (events: string) => string): Omit<Verb, 'summary'> => ({
    usage: 'ID|all [--webhook NAME]',
    example: `sluice webhooks ${action} all`,
    positionals: [1, 1],
    options: { webhook: webhookOption, config: configOption },
    async run({ values, positionals: [which = ''] }) {
      if (which !== 'all' && !/^\d{1,15}$/.test(which))
        throw new UsageError('say which: an ID that `sluice webhooks dead` shows, or all');
      await using store = await open(textIn(values, 'config'));
      const count = await store.outbox[action]({
        ...given('webhook', textIn(values, 'webhook')),
        ...(which !== 'all' && { id: Number(which) }),
      });
      if (count === 0)
        throw new AppError('not_found', 'no such event was set aside. `sluice webhooks dead` lists them.');
      terminal.say(done(count === 1 ? '1 event' : `${count} events`));
      return exit.done;
    },
  });

  return {
    example: 'sluice webhooks retry all',
    byDefault: 'list',
    verbs: {
      list: {
        summary: 'Shows what waits for each webhook (the default)',
        usage: '[--json]',
        example: 'sluice webhooks',
        options: { config: configOption, json: jsonOption },
        async run({ values }) {
          await using store = await open(textIn(values, 'config'));
          const places = await store.outbox.list();
          const lastId = await store.outbox.lastId();
          const rows = await Promise.all(
            places.map(async (place) => ({
              ...place,
              oldest: (await store.outbox.oldest(place.deliveredTo))?.toISOString(),
            })),
          );
          if (values.json) {
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
        },
      },
      dead: {
        summary: 'Lists the events that were set aside',
        usage: '[--webhook NAME] [--json]',
        example: 'sluice webhooks dead --webhook audit',
        options: { webhook: webhookOption, config: configOption, json: jsonOption },
        async run({ values }) {
          await using store = await open(textIn(values, 'config'));
          const found = await store.outbox.dead({ limit: SHOWN, ...given('webhook', textIn(values, 'webhook')) });
          if (values.json) terminal.print(JSON.stringify(found.map(shownOf), null, 2));
          else if (found.length === 0) terminal.say('Nothing was set aside.');
          else {
            const head = ['ID', 'WEBHOOK', 'EVENT', 'HAPPENED', 'TRIES', 'REASON', 'DATA'];
            terminal.print(table([head, ...found.map(deadRowOf)], terminal.width).join('\n'));
            terminal.say(
              '`sluice webhooks retry ID|all` sends them again, `sluice webhooks discard ID|all` drops them.',
            );
          }
          return exit.done;
        },
      },
      retry: {
        summary: 'Sends events again that were set aside',
        ...change('retry', (events) => `The running gateway, or the next one, sends ${events} again.`),
      },
      discard: {
        summary: 'Drops events that were set aside',
        ...change('discard', (events) => `Dropped ${events}. The event log still has them until they expire.`),
      },
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
  const why = again ? `${reason} (will be retried)` : reason;
  const happened = new Date(event.at).toISOString();
  return [String(event.id), webhook, event.event_type, happened, String(tries), why, firstLine(event.data)];
}

function shownOf({ event: { at, data, ...event }, ...dead }: DeadEvent) {
  const whole = { ...event, timestamp: new Date(at).toISOString(), data: JSON.parse(data) as unknown };
  return { ...dead, event: whole };
}
