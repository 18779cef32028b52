import { exit } from '../../cli/frame.ts';
import type { Place } from '../../host/place.ts';
import type { Values, Verb } from '../../kernel/command.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { createWorkflow } from '../../n8n/workflows/create-workflow.ts';
import type { updateWorkflow } from '../../n8n/workflows/update-workflow.ts';
import { type Call, type Installed, installedIn } from '../workflows/installed.ts';
import { hashOf, marked, TAG } from '../workflows/mark.ts';
import { type ShippedWorkflow, shippedWorkflows } from '../workflows/shipped.ts';
import { mayTouch, n8nOptions, withN8n } from './with-n8n.ts';

const MOST_NAMED = 50;

type Outcome = 'created' | 'updated' | 'published' | 'unchanged' | 'left';

interface Done {
  readonly workflow: string;
  readonly outcome: Outcome;
  readonly id: string;
}

/** `sluice blueprint install`: writes the workflows that shipped blueprints use into n8n, and publishes them. */
export function installCommand(place: Place): Verb {
  const { terminal } = place;
  return {
    summary: 'Installs the n8n workflows that blueprints of Sluice use, or updates them',
    usage: '[NAME…] [--instance I] [--yes]',
    example: 'sluice blueprint install health-report',
    positionals: [0, MOST_NAMED],
    options: n8nOptions,
    async run({ values, positionals }) {
      const wanted = await shippedWorkflows(positionals);
      return withN8n(place, values, async (call) => {
        const { ours } = await installedIn(call);
        const done: Done[] = [];
        for (const workflow of wanted) {
          const there = ours.find(({ file }) => file === workflow.file);
          done.push(await install(call, workflow, there, () => mayReplace(place, values, there)));
        }
        if (values.json) terminal.print(JSON.stringify(done, null, 2));
        else for (const { workflow, outcome, id } of done) terminal.print(`${outcome} ${workflow} (${id})`);
        return done.some(({ outcome }) => outcome === 'left') ? exit.failed : exit.done;
      });
    },
  };
}

const mayReplace = async (place: Place, values: Values, there: Installed | undefined): Promise<boolean> =>
  there === undefined || !there.edited || (await mayTouch(place, values, there, 'replace'));

async function install(
  call: Call,
  shipped: ShippedWorkflow,
  there: Installed | undefined,
  mayWrite: () => Promise<boolean>,
): Promise<Done> {
  const { file, name, description, connections, settings } = shipped;
  const body = { name, description, nodes: marked(file, shipped), connections, settings, publish: true };
  if (!there) {
    const { workflow } = await call<OutputOf<typeof createWorkflow>>('n8n_create_workflow', {
      ...body,
      tags: [TAG],
      create_tags: true,
    });
    return { workflow: file, outcome: 'created', id: workflow.id };
  }
  const { id } = there;
  if (!there.edited && there.hash === hashOf(shipped)) {
    if (there.active) return { workflow: file, outcome: 'unchanged', id };
    await call('n8n_publish_workflow', { id });
    return { workflow: file, outcome: 'published', id };
  }
  if (!(await mayWrite())) return { workflow: file, outcome: 'left', id };
  // Nothing may stay of what somebody changed: a node that is disabled would not report.
  await call<OutputOf<typeof updateWorkflow>>('n8n_update_workflow', { ...body, id, exact: there.edited });
  return { workflow: file, outcome: 'updated', id };
}
