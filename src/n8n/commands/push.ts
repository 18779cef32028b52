import { exit, UsageError } from '../../cli/frame.ts';
import { choiceIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Action, Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { counted, someOf } from '../../kernel/some-of.ts';
import type { Item } from '../as-code/item.ts';
import type { Pushed } from '../as-code/push.ts';
import { isBlocked, itemOfPlan, type Plan } from '../as-code/push-plan.ts';
import { askedIn, byFile, common, positionals, printItems, shared, summaryOf, withBoth } from './as-code.ts';

const planned: ReadonlyMap<Item['action'], string> = new Map<Item['action'], string>([
  ['create', 'create'],
  ['update', 'update'],
  ['delete', 'archive'],
  ['to pull', 'to pull'],
  ['to push', 'deleted here'],
  ['conflict', 'conflict'],
  ['error', 'error'],
]);
const past: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['archive', 'archived'],
]);

/** `sluice n8n push`: from files into n8n. */
export function pushCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: 'DIR [WORKFLOW|FILE …] [--tag T] [--publish live|all] [--delete] [--force] [--dry-run | --check]',
    example: 'sluice n8n push workflows --instance prod --publish live',
    positionals,
    options: {
      ...shared,
      publish: { type: 'string', describe: 'live: publish what was live before; all: everything with a trigger' },
      delete: { type: 'boolean', describe: 'Archive workflows whose files were deleted' },
      force: { type: 'boolean', describe: 'The folder wins: overwrite what changed in n8n, too' },
      'keep-going': { type: 'boolean', describe: 'Push the others if something is wrong with one' },
      validate: { type: 'string', describe: 'strict (the default) refuses new errors; warn and off let them pass' },
      check: { type: 'boolean', describe: 'Like --dry-run, and exit with 1 unless n8n and the folder are in step' },
      yes: { type: 'boolean', short: 'y', describe: 'Archive without asking' },
      ...common,
    },
    async run({ values, positionals: given }) {
      const asked = askedIn(values, given);
      const publish = choiceIn(values, 'publish', ['live', 'all']);
      const validate = choiceIn(values, 'validate', ['strict', 'warn', 'off']) ?? 'strict';
      const [archive, keepGoing] = [values.delete === true, values['keep-going'] === true];
      return withBoth(place, values, { ...asked, create: 'never' }, async (both) => {
        const { planPush } = await import('../as-code/push-plan.ts');
        const reading = (done: number, of: number) => terminal.progress(`${done} of ${of} workflows read`);
        const plan = await planPush(both, { ...asked, archive, validate, progress: reading });
        const blocked = plan.planned.filter(isBlocked).length;
        const stops = blocked > 0 && !keepGoing;
        if (!asked.dryRun && !stops) await confirmed(plan, values, terminal);
        const { push } = await import('../as-code/push.ts');
        const writing = (done: number, of: number) => terminal.progress(`${done} of ${of} workflows pushed`);
        const pushed =
          asked.dryRun || stops
            ? undefined
            : await push(both, plan, { validate, publish, keepGoing, progress: writing });
        return told(plan, pushed, both.remote.instance, values, terminal);
      });
    },
  };
}

/** Archiving is asked for twice: by --delete, and here. */
async function confirmed({ planned: all }: Plan, values: Values, terminal: Terminal): Promise<void> {
  const going = all.filter(({ action }) => action === 'delete').map(({ pair }) => pair.file);
  if (going.length === 0 || values.yes === true) return;
  if (!terminal.interactive) throw new UsageError('--delete needs --yes where nobody can be asked');
  const question = `Archive ${counted(going.length, 'workflow')} in n8n: ${someOf(going)}? [y/N] `;
  const answer = await terminal.ask(question);
  if (answer === undefined || !/^y(es)?$/i.test(answer))
    throw new AppError('cancelled', 'Stopped. Nothing was pushed.');
}

/** Prints the plan, or what became of it. */
function told(plan: Plan, pushed: Pushed | undefined, instance: string, values: Values, terminal: Terminal): number {
  const all = plan.planned.map(itemOfPlan).sort(byFile);
  const items = all.flatMap((item) => {
    const word = planned.get(item.action);
    return word === undefined ? [] : [{ ...item, ...outcome(item, word, pushed) }];
  });
  const isQuiet = items.length === 0;
  const same = plan.planned.length - items.length;
  const published = pushed?.published ?? [];
  if (values.json) {
    const notes = Object.fromEntries(pushed?.notes ?? []);
    const data = {
      instance,
      pushed: pushed !== undefined,
      in_step: same,
      only_in_n8n: plan.onlyInN8n,
      workflows: items.map(({ word, ...item }) => ({ ...item, result: word })),
      ...(published.length > 0 && { published }),
      ...(Object.keys(notes).length > 0 && { notes }),
    };
    terminal.print(JSON.stringify(data, null, 2));
  } else {
    printItems(terminal, items, { changes: pushed === undefined });
    const live = published.length > 0 ? `, ${published.length} published` : '';
    const beside = plan.onlyInN8n > 0 ? ` ${plan.onlyInN8n} more only in n8n.` : '';
    terminal.say(
      `${pushed ? '' : 'Nothing was written. '}n8n (${instance}): ${isQuiet ? 'nothing to push' : summaryOf(items)}${live}, ${same} in step.${beside}`,
    );
  }
  for (const [file, lines] of pushed?.notes ?? []) for (const line of lines) terminal.say(`${file}: ${line}`);
  for (const [file, why] of pushed?.failed ?? [])
    if (!items.some((item) => item.file === file && item.word === 'failed')) terminal.say(`${file}: ${why}`);
  advise(items, pushed, values, terminal);
  const isBad = items.some(({ word }) => ['conflict', 'error', 'failed', 'not pushed'].includes(word));
  const differs = values.check === true && !isQuiet;
  return isBad || differs || (pushed?.failed.size ?? 0) > 0 ? exit.failed : exit.done;
}

function outcome(item: Item, word: string, pushed: Pushed | undefined): { word: string; why?: readonly string[] } {
  if (!pushed || !past.has(word)) return { word };
  if (pushed.done.includes(item.file)) return { word: past.get(word) as string };
  const why = pushed.failed.get(item.file);
  return why === undefined ? { word: 'not pushed' } : { word: 'failed', why: [why] };
}

function advise(
  items: readonly { word: string }[],
  pushed: Pushed | undefined,
  values: Values,
  terminal: Terminal,
): void {
  const has = (word: string) => items.some((item) => item.word === word);
  if (!pushed && values['dry-run'] !== true && values.check !== true) terminal.say('--keep-going pushes the others.');
  if (has('conflict'))
    terminal.say('Conflicts: `sluice n8n pull --force` takes what n8n has, --force writes the file to n8n.');
  if (has('failed') || has('not pushed')) terminal.say('Repeat the command to continue where it stopped.');
  if (has('deleted here')) terminal.say('--delete archives workflows whose files were deleted.');
}
