import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PUBLIC } from '../settings.ts';
import type { Template, TemplateSummary } from '../template.ts';
import { workflowIn } from '../workflow-in.ts';
import { type KeptFile, keptFiles } from './kept-files.ts';
import type { ServiceQuery } from './service.ts';
import type { Page } from './shapes.ts';

const MOST_BYTES = 200 * 1024 * 1024;
/** A few times the size of n8n's library. A service that has no end must not fill the memory. */
const MOST_KNOWN = 60_000;
const DAY_MS = 86_400_000;
const PAGES = 'pages';
const TEMPLATES = 'templates';
const ABOUT = 'about';
const CATEGORIES = join(ABOUT, 'categories.json');
const SYNCED = join(ABOUT, 'synced.json');

/** Something that was read, and when. */
export interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

export interface SyncState {
  /** How many templates were asked for. */
  readonly limit: number;
  readonly templates: number;
  readonly total: number;
}

/** What was read from the public library. Other processes may use the same folder. */
export interface TemplateCache {
  page(query: ServiceQuery): Promise<Kept<Page> | undefined>;
  /** False if it is known until the process ends only, because it cannot be written. */
  keepPage(query: ServiceQuery, page: Page): Promise<boolean>;
  template(id: string): Promise<Kept<Template> | undefined>;
  keepTemplate(template: Template): Promise<boolean>;
  categories(): Promise<Kept<readonly string[]> | undefined>;
  keepCategories(names: readonly string[]): Promise<boolean>;
  synced(): Promise<Kept<SyncState> | undefined>;
  /** `at` is the age of its oldest page. */
  keepSynced(state: SyncState, at: number): Promise<boolean>;
  /** Where it is. */
  readonly folder: string;
  /** Every template that was ever in a page, or was read itself, as it was read last. The same object until that changes. */
  summaries(): Promise<ReadonlyMap<string, Kept<TemplateSummary>>>;
}

const summaryShape = z.object({
  id: z.string().max(20),
  name: z.string(),
  description: z.string().optional(),
  nodes: z.array(z.string()),
  versions: z.array(z.tuple([z.string(), z.number()])).optional(),
  categories: z.array(z.string()).optional(),
  author: z.string().optional(),
  views: z.number().optional(),
  created: z.string().optional(),
  paid: z.literal(true).optional(),
  library: z.literal(PUBLIC),
});

/** A file from the future is damaged, or from a clock that was wrong: it would count as current for too long. */
const at = z
  .number()
  .min(0)
  .refine((time) => time <= Date.now() + DAY_MS);
const pageHead = z.object({ at, total: z.number() });
const pageContent = z.object({ templates: z.array(summaryShape) });
const templateHead = z.object({ at, summary: summaryShape });
const templateContent = z.object({ workflow: z.unknown() });
const aboutHead = z.object({ at });
const categoriesContent = z.object({ categories: z.array(z.string()) });
const syncContent = z.object({ limit: z.number(), templates: z.number(), total: z.number() });

export function templateCache(cache: string, url: string, mostBytes = MOST_BYTES): TemplateCache {
  // Libraries of different services have templates of the same number.
  const folder = join(cache, 'templates', createHash('sha256').update(url).digest('hex').slice(0, 16));
  // Without all of its pages a sync no longer answers for the service.
  const files = keptFiles(folder, mostBytes, (name) => (name.startsWith(PAGES) ? SYNCED : undefined));
  let known: ReadonlyMap<string, Kept<TemplateSummary>> = new Map();
  /** Files whose summaries are known, with the time of their last change. */
  const read = new Map<string, number>();
  let looked = '';
  let looking: Promise<void> = Promise.resolve();
  let writes = 0;

  const pageFile = (query: ServiceQuery) =>
    join(
      PAGES,
      `${createHash('sha256')
        .update(JSON.stringify(Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))))
        .digest('hex')
        .slice(0, 32)}.json`,
    );
  const templateFile = (id: string) => join(TEMPLATES, `${id}.json`);

  function learn(found: readonly Kept<TemplateSummary>[]): void {
    const next = new Map(known);
    for (const one of found) next.set(one.value.id, newer(next.get(one.value.id), one));
    for (const first of next.keys()) {
      if (next.size <= MOST_KNOWN) break;
      next.delete(first);
    }
    known = next;
  }

  async function summariesIn({ name }: KeptFile): Promise<Kept<TemplateSummary>[]> {
    if (name.startsWith(TEMPLATES)) {
      const head = templateHead.safeParse(await files.head(name));
      return head.success ? [kept(head.data.summary as TemplateSummary, head.data.at)] : [];
    }
    const page = pageFrom(await files.read(name));
    return page?.value.templates.map((one) => kept(one, page.at)) ?? [];
  }

  /** Reads what is new in the folder. */
  async function look(): Promise<void> {
    // A file that is added, replaced or deleted changes its folder.
    const changed = await Promise.all([PAGES, TEMPLATES].map((one) => changedAt(join(folder, one))));
    // Two changes within the resolution of its clock do not differ, so our own are counted, too.
    const state = [writes, ...changed].join();
    if (state === looked) return;
    const found: Kept<TemplateSummary>[] = [];
    const all = [...(await files.list(PAGES)), ...(await files.list(TEMPLATES))];
    const names = new Set(all.map(({ name }) => name));
    for (const name of read.keys()) if (!names.has(name)) read.delete(name);
    for (const file of all) {
      if (read.get(file.name) === file.changedAt) continue;
      found.push(...(await summariesIn(file)));
      read.set(file.name, file.changedAt);
    }
    if (found.length > 0) learn(found);
    looked = state;
  }

  async function write(name: string, head: object, content: object, summaries: readonly TemplateSummary[]) {
    const isWritten = await files.write(name, { at: Date.now(), ...head }, content);
    writes += 1;
    if (!isWritten) learn(summaries.map((one) => kept(one, Date.now())));
    return isWritten;
  }

  async function about<T>(name: string, shape: z.ZodType<T>): Promise<Kept<T> | undefined> {
    const file = await files.read(name);
    const head = aboutHead.safeParse(file?.head);
    const content = shape.safeParse(file?.content);
    return head.success && content.success ? kept(content.data, head.data.at) : undefined;
  }

  return {
    folder,
    page: async (query) => pageFrom(await files.read(pageFile(query))),
    keepPage: (query, { total, templates }) => write(pageFile(query), { total, query }, { templates }, templates),
    async template(id) {
      const file = await files.read(templateFile(id));
      const head = templateHead.safeParse(file?.head);
      const workflow = workflowIn(templateContent.safeParse(file?.content).data?.workflow);
      if (!head.success || !workflow) return undefined;
      return kept({ ...(head.data.summary as TemplateSummary), workflow }, head.data.at);
    },
    keepTemplate: ({ workflow, readAt: _, note: __, ...summary }) =>
      write(templateFile(summary.id), { summary }, { workflow }, [summary]),
    async categories() {
      const found = await about(CATEGORIES, categoriesContent);
      return found && kept(found.value.categories, found.at);
    },
    keepCategories: (categories) => files.write(CATEGORIES, { at: Date.now() }, { categories }),
    synced: () => about(SYNCED, syncContent),
    keepSynced: (state, oldest) => files.write(SYNCED, { at: oldest }, state),
    async summaries() {
      // Not with one that is under way: it may have missed what this caller has just kept.
      looking = looking.catch(() => {}).then(look);
      await looking;
      return known;
    },
  };
}

const kept = <T>(value: T, when: number): Kept<T> => ({ value, at: when });

/** The newer entry. What only a whole template tells stays. */
function newer(one: Kept<TemplateSummary> | undefined, other: Kept<TemplateSummary>): Kept<TemplateSummary> {
  if (!one) return other;
  const [old, fresh] = one.at <= other.at ? [one, other] : [other, one];
  const { versions, categories } = old.value;
  return kept({ ...(versions && { versions }), ...(categories && { categories }), ...fresh.value }, fresh.at);
}

function pageFrom(file: { readonly head: unknown; readonly content: unknown } | undefined): Kept<Page> | undefined {
  const head = pageHead.safeParse(file?.head);
  const content = pageContent.safeParse(file?.content);
  if (!head.success || !content.success) return undefined;
  return kept({ total: head.data.total, templates: content.data.templates }, head.data.at);
}

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
