// node bench/template-import.ts [COUNT]: imports the most viewed public templates into a real n8n, as drafts.
// `npm run bench -- --n8n` prints the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../src/kernel/errors.ts';
import { callTool } from '../src/kernel/call.ts';
import type { CallContext } from '../src/kernel/source.ts';
import { openBackups } from '../src/n8n/backups/open-backups.ts';
import { createInstances } from '../src/n8n/instances.ts';
import { importTemplate } from '../src/n8n/templates/import/import-template.ts';
import type { ImportReport } from '../src/n8n/templates/import/report.ts';
import type { N8nDeps } from '../src/n8n/tool.ts';
import { testCatalogues } from '../test/support/catalogue.ts';
import { startN8n } from './n8n.ts';
import { installPeer } from './peers.ts';
import { median, percentile } from './statistics.ts';
import { readTemplates, type Template } from './validation-templates.ts';

const COUNT = 300;

export interface ImportFigures {
  readonly templates: number;
  /** Created as drafts with the default settings. */
  readonly taken: number;
  /** By reason: how many were refused, and how many of them n8n takes if told to (`missing_nodes`, `validate`). */
  readonly refused: readonly { readonly reason: string; readonly templates: number; readonly takenIfTold: number }[];
  /** Of those taken: how many need something of each kind. */
  readonly toFill: readonly { readonly what: string; readonly templates: number }[];
  readonly versionsRaised: number;
  readonly p50: number;
  readonly p95: number;
  readonly largestReply: number;
}

interface Outcome {
  readonly report?: ImportReport;
  readonly reason?: string;
  readonly takenIfTold?: boolean;
  readonly ms: number;
  readonly bytes: number;
}

/** Imports each template through the tool, counts what happens, and deletes everything again. */
async function measureTemplateImport(
  templates: readonly Template[],
  { url, apiKey }: { url: string; apiKey: string },
  say: (line: string) => void,
): Promise<ImportFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-import-'));
  const instances = createInstances({ default: { url, apiKey, timeoutMs: 30_000 } });
  const client = instances.get('default');
  const deps = {
    instances,
    backups: openBackups(() => ({ directory, keep: 10 }), { redact: (text) => text }).backups,
    catalogues: testCatalogues,
  } as Partial<N8nDeps> as N8nDeps;
  const context = { signal: new AbortController().signal } as Partial<CallContext> as CallContext;
  const call = async (args: Record<string, unknown>) => {
    const started = performance.now();
    const outcome = await callTool(importTemplate, deps)({ name: importTemplate.name, arguments: args }, context).catch(
      (error: unknown) => ({ error }),
    );
    const ms = performance.now() - started;
    if ('error' in outcome) return { error: messageOf(outcome.error), ms };
    const report = outcome.result.structuredContent as ImportReport;
    if (report.workflow.id !== undefined) await client.workflows.delete(report.workflow.id);
    return { report, ms, bytes: Buffer.byteLength(JSON.stringify(outcome.result)) };
  };
  try {
    const outcomes: Outcome[] = [];
    for (const [index, { id, name, workflow }] of templates.entries()) {
      const args = { workflow: { ...workflow, name: `${id} ${name}`.slice(0, 120) } };
      const first = await call(args);
      if (first.error === undefined) outcomes.push({ report: first.report, ms: first.ms, bytes: first.bytes });
      else {
        const told = await call({ ...args, missing_nodes: 'import', validate: 'warn' });
        const reason = reasonOf(first.error);
        say(
          `${id} ${reason}: ${first.error.split('\n').slice(0, 4).join(' ').slice(0, 400)}${told.error === undefined ? '' : ` | if told: ${told.error.slice(0, 300)}`}`,
        );
        outcomes.push({ reason, takenIfTold: told.error === undefined, ms: first.ms, bytes: 0 });
      }
      if (index % 50 === 49) say(`template import: ${index + 1} of ${templates.length}`);
    }
    return figuresOf(outcomes);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function reasonOf(message: string): string {
  if (message.startsWith('This n8n lacks nodes')) {
    return /is version/.test(message) && !/is not in this n8n/.test(message)
      ? 'a version that n8n lacks'
      : 'a node that n8n lacks';
  }
  const rule = /^- ([a-z-]+) at /m.exec(message)?.[1];
  if (rule !== undefined) return `validation: ${rule}`;
  return /is not a workflow that n8n can save/.test(message) ? 'not a workflow' : 'refused by n8n';
}

function figuresOf(outcomes: readonly Outcome[]): ImportFigures {
  const taken = outcomes.filter(({ report }) => report !== undefined);
  const times = taken.map(({ ms }) => ms);
  const reasons = counted(outcomes.flatMap(({ reason }) => reason ?? []));
  const kinds = counted(taken.flatMap(({ report }) => [...new Set((report?.to_fill ?? []).map(({ what }) => what))]));
  return {
    templates: outcomes.length,
    taken: taken.length,
    refused: reasons.map(([reason, count]) => ({
      reason,
      templates: count,
      takenIfTold: outcomes.filter((one) => one.reason === reason && one.takenIfTold === true).length,
    })),
    toFill: kinds.map(([what, count]) => ({ what, templates: count })),
    versionsRaised: taken.filter(({ report }) => (report?.versions ?? []).length > 0).length,
    p50: median(times),
    p95: percentile(times, 0.95),
    largestReply: Math.max(...taken.map(({ bytes }) => bytes)),
  };
}

function counted(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

export function templateImportTable(figures: ImportFigures): string {
  const { templates, taken, refused, toFill, versionsRaised, p50, p95, largestReply } = figures;
  return [
    '| public templates, imported as drafts | templates |',
    '| --- | --: |',
    `| all | ${templates} |`,
    `| taken | ${taken} |`,
    ...toFill.map(({ what, templates: count }) => `| of these, with a ${what} to fill | ${count} |`),
    `| of these, with a raised version | ${versionsRaised} |`,
    ...refused.map(
      ({ reason, templates: count, takenIfTold }) =>
        `| refused: ${reason} (taken if told: ${takenIfTold}) | ${count} |`,
    ),
    '',
    `One import takes ${p50.toFixed(0)} ms (p95 ${p95.toFixed(0)} ms). The largest reply has ${largestReply} bytes.`,
  ].join('\n');
}

/** Installs n8n-mcp for its public templates, starts an n8n and imports the most viewed ones. */
export async function measurePublicTemplates(
  root: string,
  say: (line: string) => void,
  count = COUNT,
): Promise<ImportFigures> {
  const peer = await installPeer('n8n-mcp', say);
  if (peer.state !== 'installed') throw new Error(peer.reason);
  await using n8n = await startN8n(join(root, 'template-import'));
  // Awaited here: n8n stops when this function ends.
  return await measureTemplateImport(readTemplates(peer.program).slice(0, count), n8n, say);
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const count = Number(process.argv[2] ?? COUNT);
    console.log(templateImportTable(await measurePublicTemplates(root, (line) => console.error(line), count)));
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
