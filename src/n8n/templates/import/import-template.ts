import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Finding } from '../../../validation/finding.ts';
import type { N8nClient } from '../../client/client.ts';
import { isPointing, placesIn } from '../../mapping/places.ts';
import { tagIds } from '../../tags/names.ts';
import { type N8nDeps, n8nTool } from '../../tool.ts';
import { type Guard, saveGuard, validateInput } from '../../validation/on-save.ts';
import { usualSettings } from '../../validation/settings.ts';
import { addressesOf } from '../../workflows/addresses.ts';
import { writable } from '../../workflows/body.ts';
import { summaryOf } from '../../workflows/summary.ts';
import { createDrafts, type Made, type Ready } from './create-drafts.ts';
import { refusalOf } from './refusal.ts';
import { fitted, importReport, type ReportLists, type ToFill } from './report.ts';
import { type Source, sourceOf, templateSource } from './source.ts';

const mapping = z.record(z.string().min(1).max(300), z.string().min(1).max(300));

export const importTemplate = n8nTool({
  name: 'n8n_import_template',
  title: 'Import template',
  description:
    'Imports a template, or a workflow exported elsewhere, as a draft with new ids and webhook paths. Connects credentials by type and name, brings sub-workflows of its library, validates, backs up. "to_fill" lists what you have to add.',
  effect: 'create',
  phrases:
    "import a template; use a template from the library; install this template in my n8n; bring a shared workflow into n8n and connect my credentials; import template by number; set up the template from the gallery with my accounts; take over a workflow that somebody shared; import a workflow of another n8n with its sub-workflows; load a template and map its credentials; adopt a template; start from template 1234; import from our own template library; does this template run on my n8n; which nodes does the template need that i lack; check a template before importing it; dry run of a template import; import a colleague's export and use my logins; get a ready-made automation; install a ready-made workflow; import a community template",
  tags: ['templates'],
  guidance:
    'Call it with "dry_run" first to see what is missing. Afterwards fill what "to_fill" lists, test with n8n_test_workflow, then n8n_publish_workflow: sub-workflows before the workflow that calls them.',
  input: {
    id: z
      .union([z.string().min(1).max(500), z.int().min(1)])
      .optional()
      .describe('Id of the template; n8n_search_templates shows them'),
    workflow: z
      .unknown()
      .optional()
      .meta({ anyOf: [{ type: 'object' }, { type: 'string' }] })
      .describe('Instead of "id": a workflow as n8n exports it, object or JSON text'),
    name: z.string().min(1).max(128).optional().describe('Default: its own name'),
    credentials: mapping
      .optional()
      .describe('Which to use here, by id or name: { "slackApi": "Team bot", "smtp/Old mailbox": "aB3x" }'),
    sub_workflows: mapping
      .optional()
      .describe('Which workflows to call here: { "<id or name in the template>": "<id here>" }'),
    missing_nodes: z
      .enum(['refuse', 'import'])
      .optional()
      .describe('If this n8n lacks nodes or versions: refuse (default), or import anyway'),
    pin_data: z.boolean().optional().describe('Keep its pinned data, which may be private. Default: false'),
    tags: z.array(z.string().min(1).max(24)).max(50).optional().describe('Names of tags that exist'),
    project: z.string().optional().describe('Id of its project. Default: the personal one'),
    validate: validateInput,
    dry_run: z.boolean().optional().describe('Only report; import nothing'),
  },
  output: importReport,
  examples: [
    { title: 'What would be missing', arguments: { id: '1750', dry_run: true } },
    { title: 'With a credential of yours', arguments: { id: '1750', credentials: { slackApi: 'Team bot' } } },
  ],
  async run(given, deps, { signal }, progress) {
    const { client } = deps;
    const { dry_run: isDry = false } = given;
    const source = await asked(given, deps, signal);
    // It brings the validator, which is not needed before.
    const { planned } = await import('./plan.ts');
    const catalogue = await deps.catalogues.ready(client.name);
    const input = {
      source,
      name: given.name,
      credentials: new Map(Object.entries(given.credentials ?? {})),
      subWorkflows: new Map(Object.entries(given.sub_workflows ?? {})),
      pins: given.pin_data ?? false,
      templates: deps.templates,
    };
    const { drafts, lists: found, notes } = await planned(client, catalogue, input, signal);
    const refusal = refusalOf(found, catalogue);
    if (refusal && !isDry && given.missing_nodes !== 'import') throw refusal;
    const { told, open, broken } = await validated(client, deps, drafts, isDry ? 'warn' : given.validate, signal);
    const lists = { ...found, to_fill: [...(found.to_fill ?? []), ...open] };
    const tags = await tagIds(client, given.tags ?? [], false, signal);
    const main = (drafts[0] as Ready).draft;
    if (isDry) {
      const would =
        refusal && given.missing_nodes !== 'import'
          ? ['The import would be refused: see missing_nodes and unknown_versions.']
          : [];
      const mode = given.validate ?? (deps.validation?.() ?? usualSettings).onSave;
      const errors =
        broken.length > 0 && mode === 'strict'
          ? [
              `The import would be refused because of validation errors in ${broken.join(', ')}, unless "validate" is "warn".`,
            ]
          : [];
      const note = ['dry_run: nothing was imported.', ...would, ...errors, ...othersLine(drafts), ...notes].join(' ');
      return fitted({
        workflow: { name: main.name, active: false, nodes: main.nodes.length },
        ...filled(lists),
        ...told,
        note,
      });
    }
    const wish = { tags, project: given.project };
    const [made, ...others] = await createDrafts(client, deps, drafts, wish, signal, progress);
    if (!made) throw new AppError('internal', 'Nothing was created.');
    const addresses = addressesOf(client.url, made.workflow);
    const note = [
      ...publishLine(others.length),
      ...errorsLine(broken.filter((name) => name !== quoted(main.name))),
      ...undescribedLine([made, ...others]),
      ...notes,
    ].join(' ');
    return fitted({
      workflow: summaryOf(made.workflow),
      backup: made.backup,
      ...filled({
        ...lists,
        also: others.map(({ workflow: { id, name }, backup }) => ({ id, name, backup })),
        addresses,
      }),
      ...told,
      ...(note !== '' && { note }),
    });
  },
});

/** The workflow to import: a template, or what was pasted. */
async function asked(
  { id, workflow }: { id?: string | number | undefined; workflow?: unknown },
  { templates }: N8nDeps,
  signal: AbortSignal,
): Promise<Source> {
  const isPasted = workflow !== undefined && workflow !== null && workflow !== '';
  if ((id === undefined) === !isPasted) {
    throw new AppError(
      'invalid_input',
      'Pass "id", the id of a template, or "workflow", an exported workflow: one of them.',
    );
  }
  if (isPasted) return sourceOf(workflow);
  return templateSource(await templates.get(String(id), signal));
}

/** Validates every draft before the first is written. The report is about the workflow that was asked for. */
async function validated(
  client: N8nClient,
  deps: N8nDeps,
  drafts: readonly Ready[],
  mode: 'strict' | 'warn' | 'off' | undefined,
  signal: AbortSignal,
) {
  const { leftOpen } = await import('./left-open.ts');
  const open: ToFill[] = [];
  const broken: string[] = [];
  let told: ReturnType<Guard['told']> = {};
  for (const [index, ready] of drafts.entries()) {
    const { draft } = ready;
    const what = drafts.length > 1 ? `nothing was imported ("${draft.name}")` : 'nothing was imported';
    const isAboutLinks = aboutLinks(ready);
    // Values that the author left for the next user are no reason to refuse the template.
    const isOpen = (finding: Finding) => {
      const found = leftOpen(draft, finding);
      if (found) open.push({ ...(index > 0 && { workflow: draft.name }), ...found });
      return found !== undefined;
    };
    const except = (finding: Finding) => isAboutLinks(finding) || isOpen(finding);
    const guard = saveGuard(client, deps, signal, { mode, what, except });
    await guard.check(writable(draft));
    const { validation } = guard.told();
    if ((validation?.errors ?? 0) > 0) broken.push(quoted(draft.name));
    if (index === 0) told = validation ? { validation } : {};
  }
  return { told, open, broken };
}

/** Findings about workflows that do not exist yet, but are imported with this one. */
function aboutLinks({ draft, linked }: Ready): (finding: Finding) => boolean {
  const places = placesIn(draft).filter((place) => isPointing(place) && linked(place) !== undefined);
  const nodes = new Set(places.map(({ node }) => node));
  return ({ rule, node }) => (rule === 'unknown-sub-workflow' || rule === 'unknown-error-workflow') && nodes.has(node);
}

const filled = (lists: ReportLists): ReportLists =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

const othersLine = (drafts: readonly Ready[]): string[] =>
  drafts.length > 1
    ? [
        `Sub-workflows of its library that would be imported, too: ${drafts
          .slice(1, 8)
          .map(({ draft }) => `"${draft.name}"`)
          .join(', ')}${drafts.length > 8 ? ', …' : ''}.`,
      ]
    : [];

const quoted = (name: string): string => `"${name}"`;

const errorsLine = (broken: readonly string[]): string[] =>
  broken.length > 0 ? [`Validation errors in ${broken.join(', ')}: n8n_validate_workflow shows them.`] : [];

function undescribedLine(made: readonly Made[]): string[] {
  const first = made.find(({ undescribed }) => undescribed !== undefined);
  return first ? [`"${first.workflow.name}" was created without its description: ${first.undescribed}`] : [];
}

const publishLine = (others: number): string[] =>
  others > 0 ? ['It is a draft, and so are its sub-workflows: publish them first.'] : [];
