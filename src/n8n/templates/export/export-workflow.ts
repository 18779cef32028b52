import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { n8nTool } from '../../tool.ts';
import { existingWorkflow } from '../../workflows/existing.ts';
import { idInput } from '../../workflows/id-input.ts';
import { writable } from '../../workflows/body.ts';
import { type CalledNames, calledNames } from './called-names.ts';
import { cleanTexts } from './clean-texts.ts';
import { fileNameOf } from './file-name.ts';
import { needsOf, needsShape } from './needs.ts';
import { canonical } from './private-hosts.ts';
import { type Keep, keepable, sanitised } from './sanitised.ts';

const MOST_BYTES = 1024 * 1024;
/** n8n itself accepts 16 MB. */
const LARGEST = 16 * MOST_BYTES;
const MOST_WORKFLOWS = 20;

const file = z.record(z.string(), z.unknown());

export const exportWorkflow = n8nTool({
  name: 'n8n_export_workflow',
  title: 'Export workflow for sharing',
  description:
    'Returns a workflow as JSON that you can share. Credentials, pinned data, ids, secrets and private URLs are removed or replaced by placeholders; the reply says where. Notes stay. The reply holds the whole workflow, so it may be long.',
  effect: 'read',
  phrases:
    'export a workflow to share it; sanitise a workflow; make a template out of my workflow; publish my workflow as a template; give the workflow json to a colleague without secrets; strip credentials from a workflow; anonymise the workflow before posting it; shareable copy of an automation; workflow json without passwords and private addresses; clean export for the forum; remove api keys from the json before i send it; prepare a workflow for the community; download a workflow as a file for others; redact a workflow; hand the flow to a customer safely; put my flow on github without leaking tokens; export with its sub-workflows; scrub private data from a flow; what would leak if i share this workflow; workflow as a reusable template file',
  tags: ['templates'],
  input: {
    id: idInput,
    keep: z
      .array(z.enum(keepable))
      .max(keepable.length)
      .optional()
      .describe('What to leave in: ids covers nodes, webhooks and sub-workflows, secrets covers keys and passwords'),
    sub_workflows: z
      .boolean()
      .optional()
      .describe(`Export the workflows that it calls and its error workflow, too; at most ${MOST_WORKFLOWS}`),
    max_bytes: z
      .int()
      .min(1000)
      .max(LARGEST)
      .optional()
      .describe('Refuse a longer export. Default: 1048576; an export is never cut'),
  },
  output: z.object({
    file_name: z.string(),
    workflow: file.describe('Import it with n8n_import_template or in n8n'),
    sub_workflows: z
      .array(z.object({ file_name: z.string(), workflow: file }))
      .optional()
      .describe('Save each beside the workflow under its file name: n8n_import_template finds them there'),
    removed: z.array(z.string()).describe('What was removed or replaced, and where'),
    left: z.array(z.string()).optional().describe('Left in, and maybe private: look at it'),
    needs: needsShape.describe('What the workflow needs where it is imported'),
  }),
  examples: [{ title: 'With the workflows that it calls', arguments: { id: 'aB3xY9kLmN0pQrSt', sub_workflows: true } }],
  async run({ id, keep = [], sub_workflows: whole = false, max_bytes: most = MOST_BYTES }, { client }, { signal }) {
    const main = await existingWorkflow(client, id, signal);
    const kept = new Set<Keep>(keep);
    const [first, ...others] = await exported(client, main, { kept, whole, most }, signal);
    if (!first) throw new AppError('internal', 'The export is empty.');
    const told = (lines: 'lines' | 'left') =>
      [first, ...others].flatMap(({ workflow: { name }, removed }, index) =>
        removed[lines]().map((line) => (index === 0 ? line : `${String(name)}: ${line}`)),
      );
    const left = told('left');
    return {
      file_name: first.file_name,
      workflow: first.workflow,
      ...(others.length > 0 && {
        sub_workflows: others.map(({ file_name, workflow }) => ({ file_name, workflow })),
      }),
      removed: capped(told('lines'), 200),
      ...(left.length > 0 && { left: capped(left, 100) }),
      needs: first.needs,
    };
  },
});

interface Wanted {
  readonly kept: ReadonlySet<Keep>;
  readonly whole: boolean;
  readonly most: number;
}

/** The workflow, and if wanted those that it calls, each once. */
async function exported(client: N8nClient, main: Workflow, { kept, whole, most }: Wanted, signal: AbortSignal) {
  const own = URL.canParse(client.url) ? canonical(new URL(client.url).hostname) : undefined;
  const clean = (name: string) =>
    cleanTexts(name, '', { secrets: !kept.has('secrets'), hosts: !kept.has('urls'), own, isNote: true }, () => {});
  const family = await familyOf(client, main, whole, signal);
  const taken = new Set<string>();
  const fileNames = new Map(
    family.map(({ workflow: { id, name } }) => [id, uniqueName(fileNameOf(clean(name)), taken)] as const),
  );
  /** By name. If several have names so alike that their files have numbers, the file says which of them. */
  const reference = (id: string | undefined, given: string | undefined) => {
    if (given === undefined) return undefined;
    const name = clean(given);
    const file = fileNames.get(id ?? '') ?? '';
    return { id: file === '' || file === fileNameOf(name) ? name : file.replace(/\.json$/, ''), name };
  };
  let bytes = 0;
  return family.map(({ workflow, nameOf }, index) => {
    signal.throwIfAborted();
    bytes += sizeOf(workflow, kept);
    if (bytes > most) {
      throw new AppError(
        'too_large',
        `The export is longer than ${most} bytes ("${main.name}"${index > 0 ? ` and ${index} more` : ''}). Repeat the call with a larger "max_bytes", up to ${LARGEST}${kept.has('pinned_data') ? ', or without pinned_data' : ''}.`,
      );
    }
    return {
      ...sanitised(workflow, {
        keep: kept,
        own,
        nameOf: (place) => reference(place.kind === 'data table' ? undefined : place.id, nameOf(place)),
        errorWorkflow: whole,
      }),
      file_name: fileNames.get(workflow.id) as string,
      needs: needsOf(workflow, nameOf, clean),
    };
  });
}

/** The workflow with the names of what it refers to, and if wanted those that it calls, directly or indirectly. */
async function familyOf(client: N8nClient, main: Workflow, whole: boolean, signal: AbortSignal) {
  const queue = new Map([[main.id, main]]);
  const family: { readonly workflow: Workflow; readonly nameOf: CalledNames['nameOf'] }[] = [];
  for (const [, workflow] of queue) {
    const { called, nameOf } = await calledNames(client, workflow, signal);
    family.push({ workflow, nameOf });
    if (whole) for (const one of called) if (!queue.has(one.id)) queue.set(one.id, one.workflow);
    if (queue.size > MOST_WORKFLOWS) {
      throw new AppError(
        'too_large',
        `"${main.name}" calls more than ${MOST_WORKFLOWS - 1} workflows, directly or indirectly. Export it without "sub_workflows", and the others one by one.`,
      );
    }
  }
  return family;
}

/** Measured before anything is replaced: searching a large workflow takes seconds. */
function sizeOf(workflow: Workflow, kept: ReadonlySet<Keep>): number {
  const { pinData, ...body } = writable(workflow);
  return Buffer.byteLength(JSON.stringify(kept.has('pinned_data') ? { ...body, pinData } : body));
}

function capped(lines: readonly string[], most: number): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most), `… and ${lines.length - most} more.`];
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count++) unique = name.replace(/\.json$/, `-${count}.json`);
  taken.add(unique);
  return unique;
}
