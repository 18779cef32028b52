// node bench/templates.ts [QUESTIONS]: how fast templates are found among 2,000, on this machine, without the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbedder, type Embedder } from '../src/embedder/embedder.ts';
import { callTool } from '../src/kernel/call.ts';
import type { CallContext } from '../src/kernel/source.ts';
import { templateLibrary } from '../src/n8n/templates/library.ts';
import { searchTemplates } from '../src/n8n/templates/search-templates.ts';
import { templatesSection } from '../src/n8n/templates/settings.ts';
import type { TemplateLibrary } from '../src/n8n/templates/template.ts';
import type { N8nDeps } from '../src/n8n/tool.ts';
import { testCatalogues } from '../test/support/catalogue.ts';
import { syntheticTemplates } from '../test/support/synthetic-templates.ts';
import { startTemplateService } from '../test/support/template-service.ts';
import { median } from './statistics.ts';

const TEMPLATES = 2000;
const QUESTIONS = 60;

export interface TemplateFigures {
  readonly templates: number;
  /** p50 of a call of n8n_search_templates, in milliseconds: by words only. */
  readonly words: number;
  /** By words and meaning, for a question that nobody asked before: with its embedding. */
  readonly fused: number;
  /** The same for a question that was asked before. */
  readonly again: number;
  /** From the first search until searches use vectors. */
  readonly vectorsMs: number;
  readonly largestReply: number;
}

/** Searches through the tool, as the gateway calls it. */
export async function measureTemplates(questions = QUESTIONS): Promise<TemplateFigures> {
  const cache = await mkdtemp(join(tmpdir(), 'sluice-bench-templates-'));
  await using service = await startTemplateService(syntheticTemplates(TEMPLATES));
  await using embedder = createEmbedder();
  let preparing: ReturnType<Embedder['prepare']> | undefined;
  const watched: Embedder = {
    ...embedder,
    closed: false,
    prepare: (...given) => (preparing = embedder.prepare(...given)),
  };
  const settings = templatesSection.parse({ url: service.url });
  const common = { cache, settings: () => settings, report() {} };
  await using plain = templateLibrary(common);
  await using library = templateLibrary({ ...common, embedder: async () => watched });
  try {
    const { signal } = new AbortController();
    await plain.sync(TEMPLATES, signal, () => {});
    let largestReply = 0;
    async function timed(templates: TemplateLibrary, query: string): Promise<number> {
      const deps = { instances: { names: () => ['default'] }, catalogues: testCatalogues, templates };
      const call = callTool(searchTemplates, deps as unknown as N8nDeps);
      const started = performance.now();
      const outcome = await call({ name: 'n8n_search_templates', arguments: { query } }, {
        signal,
      } as Partial<CallContext> as CallContext);
      const ms = performance.now() - started;
      largestReply = Math.max(largestReply, Buffer.byteLength(('json' in outcome && outcome.json) || ''));
      return ms;
    }
    async function each(templates: TemplateLibrary, queries: readonly string[]): Promise<number[]> {
      // The first call loads the catalogue and the index.
      await timed(templates, 'warm up');
      const times = [];
      for (const query of queries) times.push(await timed(templates, query));
      return times;
    }
    const words = await each(plain, asked(questions));
    const started = performance.now();
    await timed(library, 'warm up');
    if (!preparing || (await embedder.hold(preparing)) !== 'ready') throw new Error('The vectors were not made.');
    const vectorsMs = performance.now() - started;
    const fused = await each(library, asked(questions));
    const again = await each(library, asked(questions));
    return {
      templates: TEMPLATES,
      words: median(words),
      fused: median(fused),
      again: median(again),
      vectorsMs,
      largestReply,
    };
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

const subjects = ['unpaid invoices', 'new customers', 'support requests', 'job applications', 'server alerts'];
const wishes = ['send a message about', 'write a summary of', 'remind me of', 'collect', 'analyse'];
const places = [
  'in slack',
  'every morning',
  'with an ai agent',
  'into a google sheet',
  'by email',
  'in a notion database',
];

const asked = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const pick = (list: readonly string[], step: number) => list[Math.floor(at / step) % list.length] ?? '';
    return `${pick(wishes, 1)} ${pick(subjects, 5)} ${pick(places, 25)} ${at}`;
  });

if (import.meta.main) {
  const figures = await measureTemplates(Number(process.argv[2] ?? QUESTIONS));
  const rounded = Object.entries(figures).map(([key, value]) => [key, Math.round(value * 100) / 100]);
  console.log(JSON.stringify(Object.fromEntries(rounded), null, 2));
}
