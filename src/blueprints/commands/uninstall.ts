import { exit } from '../../cli/frame.ts';
import type { Place } from '../../host/place.ts';
import type { Verb } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { installedIn, type Installed } from '../workflows/installed.ts';
import { TAG } from '../workflows/mark.ts';
import { mayTouch, n8nOptions, withN8n } from './with-n8n.ts';

const MOST_NAMED = 50;

/** `sluice blueprint uninstall`: deletes what `sluice blueprint install` wrote, and the tag with the last of it. */
export function uninstallCommand(place: Place): Verb {
  const { terminal } = place;
  return {
    summary: 'Deletes the n8n workflows that `sluice blueprint install` wrote',
    usage: '[NAME…] [--instance I] [--yes]',
    example: 'sluice blueprint uninstall health-report --yes',
    positionals: [0, MOST_NAMED],
    options: n8nOptions,
    run: ({ values, positionals }) =>
      withN8n(place, values, async (call) => {
        const { ours, others } = await installedIn(call);
        const wanted = positionals.length === 0 ? ours : named(ours, positionals);
        const deleted: Installed[] = [];
        for (const workflow of wanted) {
          if (workflow.edited && !(await mayTouch(place, values, workflow, 'delete'))) continue;
          await call('n8n_delete_workflow', { id: workflow.id });
          deleted.push(workflow);
        }
        if (deleted.length > 0 && deleted.length === ours.length && others === 0)
          await call('n8n_delete_tag', { tag: TAG });
        if (values.json) terminal.print(JSON.stringify(deleted, null, 2));
        else if (wanted.length === 0) terminal.say('Nothing is installed.');
        else for (const { file, id } of deleted) terminal.print(`deleted ${file} (${id})`);
        return deleted.length < wanted.length ? exit.failed : exit.done;
      }),
  };
}

function named(ours: readonly Installed[], names: readonly string[]): Installed[] {
  const missing = names.find((name) => !ours.some(({ file }) => file === name));
  if (missing === undefined) return ours.filter(({ file }) => names.includes(file));
  const listed = ours.length === 0 ? 'Nothing is.' : `Installed: ${ours.map(({ file }) => file).join(', ')}.`;
  throw new AppError('not_found', `${missing} is not installed. ${listed}`);
}
