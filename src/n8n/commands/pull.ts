import { exit } from '../../cli/frame.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { counted, someOf } from '../../kernel/some-of.ts';
import type { Item } from '../as-code/item.ts';
import { askedIn, byFile, common, positionals, printItems, shared, summaryOf, withBoth } from './as-code.ts';

const words: ReadonlyMap<Item['action'], string> = new Map<Item['action'], string>([
  ['create', 'new'],
  ['update', 'changed'],
  ['delete', 'deleted'],
  ['to push', 'to push'],
  ['conflict', 'conflict'],
  ['error', 'error'],
]);

/** `sluice n8n pull`: from n8n into files. */
export function pullCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: 'DIR [WORKFLOW|FILE …] [--tag T] [--force] [--dry-run]',
    example: 'sluice n8n pull workflows --tag production',
    positionals,
    options: {
      ...shared,
      force: { type: 'boolean', describe: 'n8n wins: overwrite files that changed here, too' },
      ...common,
    },
    async run({ values, positionals: given }) {
      const asked = askedIn(values, given);
      return withBoth(place, values, { ...asked, create: asked.dryRun ? 'later' : 'now' }, async (both) => {
        const progress = (done: number, of: number) => terminal.progress(`${done} of ${of} workflows read`);
        const { pull } = await import('../as-code/pull.ts');
        const { items, secrets } = await pull(both, { ...asked, progress });
        const { instance } = both.remote;
        const told = items.toSorted(byFile).flatMap((item) => {
          const word = words.get(item.action);
          return word === undefined ? [] : [{ ...item, word }];
        });
        const same = items.filter(({ action }) => action === 'none' || action === 'note').length;
        if (values.json) {
          const data = {
            instance,
            dry_run: asked.dryRun,
            in_step: same,
            workflows: told.map(({ word: _, ...item }) => item),
            ...(secrets.size > 0 && { secrets: Object.fromEntries(secrets) }),
          };
          terminal.print(JSON.stringify(data, null, 2));
        } else {
          printItems(terminal, told, { changes: asked.dryRun });
          const what = told.length === 0 ? 'nothing to pull' : summaryOf(told);
          terminal.say(`${asked.dryRun ? 'Nothing was written. ' : ''}n8n (${instance}): ${what}, ${same} in step.`);
        }
        for (const [file, nodes] of secrets) {
          terminal.say(
            `${file} has what looks like ${counted(nodes.length, 'secret')}, in ${someOf(
              nodes.map((node) => `"${node}"`),
              3,
            )}. Move it into a credential before you commit the file.`,
          );
        }
        const conflicts = told.filter(({ action }) => action === 'conflict');
        if (conflicts.length > 0)
          terminal.say(
            'Conflicts were left alone. --force takes what n8n has; `sluice n8n push --force` writes the file to n8n.',
          );
        return told.some(({ action }) => action === 'conflict' || action === 'error') ? exit.failed : exit.done;
      });
    },
  };
}
