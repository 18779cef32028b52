import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine } from '../../cli/table.ts';
import { configWithoutGateway, given, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { compareInstances } from '../promotion/compare-instances.ts';
import { callN8n } from './call-n8n.ts';

const MOST_NAMED = 500;
const where = { only_from: '<', only_to: '>', differs: '~' } as const;

/** `sluice n8n compare`: what differs between two n8n. Like diff(1): 0 when nothing differs, 1 when something does. */
export function compareCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[WORKFLOW …] --from A --to B [--tag T]',
    example: 'sluice n8n compare --from staging --to production',
    positionals: [0, MOST_NAMED],
    options: {
      from: { type: 'string', describe: 'The n8n that the workflows come from' },
      to: { type: 'string', describe: 'The other n8n' },
      tag: { type: 'string', describe: 'All workflows with this tag' },
      config: configWithoutGateway,
      json: jsonOption,
    },
    async run({ values, positionals: workflows }) {
      const [from, to, tag] = [textIn(values, 'from'), textIn(values, 'to'), textIn(values, 'tag')];
      if (from === undefined || to === undefined) throw new UsageError('name both with --from and --to');
      const signal = untilCancelled();
      const file = textIn(values, 'config');
      await using client = await reach(place, { tool: 'n8n_compare_instances', signal, ...given('file', file) });
      const asked = { from, to, full: true, ...given('tag', tag), ...(workflows.length > 0 && { workflows }) };
      const found = await callN8n<OutputOf<typeof compareInstances>>(client, 'n8n_compare_instances', asked, {
        signal,
      });
      if (values.json) terminal.print(JSON.stringify(found, null, 2));
      else {
        for (const { state, kind, name, type, changes = [] } of found.differences) {
          terminal.print(`${where[state]} ${kind} "${firstLine(name)}"${type === undefined ? '' : ` (${type})`}`);
          for (const line of changes) terminal.print(`    ${line}`);
        }
        const { same, differs, only_from: left, only_to: right } = found.counts;
        terminal.say(
          `Workflows: ${same} the same, ${differs} differ (~), ${left} only on ${from} (<), ${right} only on ${to} (>).`,
        );
        for (const note of found.notes ?? []) terminal.say(firstLine(note));
      }
      return found.same ? exit.done : exit.failed;
    },
  };
}
