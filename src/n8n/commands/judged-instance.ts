import type { N8nClient } from '../client/client.ts';
import { scanWorkflows } from '../find/scan.ts';
import { judgeInstance } from '../validation/judge-instance.ts';
import type { Purpose } from '../../validation/finding.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import type { Judged, Judgement } from './judged-file.ts';
import type { Terminal } from '../../host/terminal.ts';

/** Every workflow of an n8n that is not archived. By default a live one must be fit to publish, any other to run. */
export async function judgedInstance(
  client: N8nClient,
  { catalogue, rules, purpose }: Omit<Judgement, 'purpose'> & { purpose: Purpose | undefined },
  terminal: Terminal,
): Promise<Judged[]> {
  const signal = untilCancelled('Stopped.');
  const all = await scanWorkflows(client, signal);
  const wanted = all.filter(({ isArchived }) => !isArchived);
  const { each, notes } = await judgeInstance({ client, catalogue, all, wanted, purpose, rules, signal });
  const judged: Judged[] = [];
  for (const { workflow, report } of each) {
    const { id, name, active } = workflow;
    judged.push({
      title: `${name} (${id})`,
      uri: `${client.url.replace(/\/$/, '')}/workflow/${encodeURIComponent(id)}`,
      about: { id, name, active },
      report,
      region: () => undefined,
      changes: [],
    });
    terminal.progress(`${judged.length} of ${wanted.length} workflows`);
  }
  for (const note of notes) terminal.say(note);
  return judged;
}
