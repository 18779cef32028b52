import { z } from 'zod';
import { shown } from '../../../kernel/nearest-names.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { addressShape } from '../../workflows/addresses.ts';
import { workflowSummary } from '../../workflows/summary.ts';
import { validationShape } from '../../validation/on-save.ts';

const LONGEST_NOTE = 1500;

const named = z.object({ id: z.string(), name: z.string() });

const ofWorkflow = z.string().optional().describe('The sub-workflow that it is in; absent: the workflow itself');

export const toFillShape = z.object({
  what: z.enum(['credential', 'sub-workflow', 'error workflow', 'data table', 'variable', 'value']),
  workflow: ofWorkflow,
  node: z.string().optional(),
  type: z.string().optional().describe('Of the credential'),
  name: z.string().optional().describe('Its name in the template; of a value, its parameter'),
  candidates: z.array(named).optional().describe('What this n8n has'),
  how: z.string(),
});

export type ToFill = z.input<typeof toFillShape>;

const versionShape = z.object({
  workflow: ofWorkflow,
  node: z.string(),
  from: z.number().optional().describe('Absent: the node had none'),
  to: z.number(),
  was: z.string().optional().describe('Its former type, which n8n replaced'),
});

const credentialShape = z.object({
  workflow: ofWorkflow,
  node: z.string(),
  type: z.string(),
  used: named,
  why: z.string(),
});

const missingShape = z.object({
  type: z.string(),
  nodes: z.array(z.string()),
  package: z.string().optional().describe('The community package to install'),
  similar: z.array(z.string()).optional(),
});

/** The lists of the report, most important first: those further down are cut first. */
const lists = {
  missing_nodes: z.array(missingShape).optional().describe('Node types that this n8n does not have'),
  unknown_versions: z
    .array(
      z.object({ workflow: ofWorkflow, node: z.string(), type: z.string(), version: z.number(), newest: z.number() }),
    )
    .optional()
    .describe('Nodes in a version that this n8n does not have: it will not run them'),
  to_fill: z.array(toFillShape).optional().describe('What you have to add before it runs'),
  also: z
    .array(z.object({ id: z.string(), name: z.string(), backup: z.string() }))
    .optional()
    .describe('The sub-workflows that were imported with it'),
  addresses: z.array(addressShape).optional().describe('Its URLs, once it is published'),
  credentials: z.array(credentialShape).optional().describe('Credentials that were connected'),
  versions: z.array(versionShape).optional().describe('Nodes whose version was raised'),
  dropped: z.array(z.string()).optional().describe('What was left out'),
};

export const importReport = z.object({
  workflow: workflowSummary.partial({ id: true }),
  backup: z.string().optional().describe('Id of the backup of the workflow as imported'),
  ...lists,
  validation: validationShape.optional(),
  note: z.string().optional(),
});

export type ImportReport = z.input<typeof importReport>;
export type ReportLists = Pick<ImportReport, keyof typeof lists>;

/** Cuts lists until the report fits into a reply, and says how much is missing. */
export function fitted(report: ImportReport): ImportReport {
  const { note: given = '', ...whole } = report;
  const note = shown(given, LONGEST_NOTE);
  const fixed = Object.fromEntries(Object.entries(whole).filter(([key]) => !Object.hasOwn(lists, key)));
  let shownSoFar: Record<string, unknown> = { ...fixed, note, room: 'and so many more of others' };
  const cut: string[] = [];
  for (const key of Object.keys(lists) as (keyof typeof lists)[]) {
    const items: readonly unknown[] = report[key] ?? [];
    if (items.length === 0) continue;
    const some = items.slice(0, fittingItems(items, shownSoFar));
    const fits = isShort({ ...shownSoFar, [key]: some }) ? some.length : 0;
    if (fits < items.length) cut.push(`${items.length - fits} of ${items.length} ${key}`);
    if (fits > 0) shownSoFar = { ...shownSoFar, [key]: items.slice(0, fits) };
  }
  const { room: _, note: __, ...rest } = shownSoFar;
  const told = [note, cut.length > 0 ? `Not shown: ${cut.join(', ')}.` : ''].filter((line) => line !== '').join(' ');
  return { ...rest, ...(told !== '' && { note: told }) } as ImportReport;
}

/** `fittingItems` always allows one item. The report has many lists, so of some none may fit. */
function isShort(report: unknown): boolean {
  const text = JSON.stringify(report);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text)) < 7800;
}
