import type { Run } from '../connection.ts';
import { isServerError, saidBy } from '../explain.ts';
import { type Block, blocksOf, type Candidate, candidatesFor, type NamedTable } from './candidates.ts';
import { imagined } from './hypothetical.ts';
import { type Existing, indexSql, isCovered, keysText } from './index-sql.ts';
import { type Plan, planOf } from './query-plan.ts';
import { guarded } from './scene.ts';

/** A statement to advise on, checked and parsed. */
export interface Advised {
  readonly sql: string;
  readonly tree: unknown;
}

/** A table that an index could be built on. */
export interface IndexedTable {
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: ReadonlyMap<string, string>;
  readonly existing: readonly Existing[];
}

export interface Help {
  /** Which of the statements, from 1. */
  readonly query: number;
  readonly before?: number;
  readonly after?: number;
}

export interface Suggestion {
  readonly table: string;
  readonly sql: string;
  readonly keys: string;
  /** Whether the planner took it when it was tried. */
  readonly isTested: boolean;
  readonly bytes?: number;
  readonly helps: readonly Help[];
}

export interface Advice {
  readonly suggestions: readonly Suggestion[];
  /** Of statements that could not be planned, and why. */
  readonly notes: readonly string[];
}

/** What an index must save of the cost of a statement to be worth its writes. */
const WORTH = 0.1;
const MOST_TRIED = 12;
const MOST_TOGETHER = 3;
/** For all statements of a call: each takes some round trips. */
const MOST_PLANS = 250;
/** A table that is read in one go anyway. */
const SMALL_ROWS = 1000;

interface Option {
  readonly table: IndexedTable;
  readonly candidate: Candidate;
  readonly sql: string;
}

export interface AdviceOptions {
  /** The schema of hypopg; undefined if there is none. */
  readonly hypopg: string | undefined;
  /** Only indexes on this table. */
  readonly only: string | undefined;
  /** Throws if a statement cannot be planned, instead of a note. */
  readonly isStrict: boolean;
}

/** `find` resolves a name of a statement; undefined for what is no table, such as a CTE. */
export async function advise(
  run: Run,
  queries: readonly Advised[],
  find: (table: NamedTable) => Promise<IndexedTable | undefined>,
  { hypopg, only, isStrict }: AdviceOptions,
): Promise<Advice> {
  const notes: string[] = [];
  const plans = { left: MOST_PLANS };
  const found = new Map<string, Suggestion>();
  const add = (option: Option, help: Help, more: { isTested: boolean; bytes?: number }) => {
    const before = found.get(option.sql);
    found.set(option.sql, {
      table: `${option.table.schema}.${option.table.name}`,
      sql: `${option.sql};`,
      keys: keysText(option.candidate),
      ...more,
      isTested: more.isTested || (before?.isTested ?? false),
      helps: [...(before?.helps ?? []), help],
    });
  };
  for (const [at, { sql, tree }] of queries.entries()) {
    const query = at + 1;
    const options = (await optionsFor(tree, find)).filter(
      ({ table }) => only === undefined || only === `${table.schema}.${table.name}`,
    );
    const tries = options.filter(({ candidate }) => hypopg !== undefined && candidate.method === 'btree');
    const guesses = options.filter((option) => !tries.includes(option) && option.table.rows >= SMALL_ROWS);
    try {
      for (const { option, bytes, before, after } of await chosen({ run, hypopg, plans }, sql, tries))
        add(option, { query, before, after }, { isTested: true, bytes });
    } catch (error) {
      if (isStrict || !isServerError(error)) throw error;
      notes.push(`Query ${query} cannot be planned: ${saidBy(error).slice(0, 200)}`);
      continue;
    }
    for (const option of bestGuesses(guesses)) add(option, { query }, { isTested: false });
  }
  if (plans.left <= 0) notes.push(`Stopped after ${MOST_PLANS} plans. Pass fewer queries to see the rest.`);
  return { suggestions: withoutPrefixes([...found.values()]).sort((a, b) => savings(b) - savings(a)), notes };
}

/** Without trying, only the widest candidate of each table and the ones of another kind are worth a word. */
function bestGuesses(options: readonly Option[]): Option[] {
  const byTable = Map.groupBy(options, ({ table, candidate }) => `${table.schema}.${table.name} ${candidate.method}`);
  return [...byTable.values()].map((ofTable) => ofTable[0] as Option);
}

const savings = ({ helps }: Suggestion): number =>
  helps.reduce((sum, { before = 0, after = 0 }) => sum + before - after, 0);

/** A guess whose keys begin another suggestion on the same table adds nothing. */
const withoutPrefixes = (all: readonly Suggestion[]): Suggestion[] =>
  all.filter(
    (one) =>
      one.isTested ||
      !all.some((other) => other !== one && other.table === one.table && other.keys.startsWith(`${one.keys}, `)),
  );

async function optionsFor(
  tree: unknown,
  find: (table: NamedTable) => Promise<IndexedTable | undefined>,
): Promise<Option[]> {
  const options = new Map<string, Option>();
  for (const block of blocksOf(tree)) {
    const tables: { named: NamedTable; table: IndexedTable }[] = [];
    for (const named of block.tables) {
      const table = await find(named);
      if (table) tables.push({ named, table });
    }
    for (const { named, table } of tables)
      for (const candidate of candidatesFor(block, belongsTo(named, table, block, tables))) {
        if (!fits(candidate, table) || isCovered(candidate, table.existing)) continue;
        const sql = indexSql(table.schema, table.name, candidate);
        if (!options.has(sql)) options.set(sql, { table, candidate, sql });
      }
  }
  return [...options.values()].slice(0, MOST_TRIED * 2);
}

/** A column without a table belongs to the only table that has it. */
const belongsTo =
  (named: NamedTable, table: IndexedTable, block: Block, all: readonly { table: IndexedTable }[]) =>
  ({ table: alias, column }: { table: string | undefined; column: string }): boolean => {
    if (!table.columns.has(column)) return false;
    if (alias !== undefined) return alias === named.alias;
    return block.tables.length === 1 || all.filter((one) => one.table.columns.has(column)).length === 1;
  };

const GIN_TYPES = /^(?:jsonb|tsvector|hstore)$|\[\]$/;
const TEXT_TYPES = /^(?:text|character varying|character|citext|name)/;
/** Without an order, or too large for a btree. */
const UNSORTED = /^(?:json|jsonb|xml|point|line|lseg|box|path|polygon|circle|vector|tsvector|bytea)\b/;

function fits({ method, keys }: Candidate, { columns }: IndexedTable): boolean {
  const typeOf = ({ column }: { column: string }) => columns.get(column) ?? '';
  if (method === 'gin') return keys.every((key) => GIN_TYPES.test(typeOf(key)));
  return keys.every(
    (key) =>
      !UNSORTED.test(typeOf(key)) &&
      !typeOf(key).endsWith('[]') &&
      (!(key.pattern || key.func !== undefined) || TEXT_TYPES.test(typeOf(key))),
  );
}

interface Chosen {
  readonly option: Option;
  readonly bytes: number;
  readonly before: number;
  readonly after: number;
}

interface Trial {
  readonly option: Option;
  readonly plan: Plan;
  readonly bytes: number;
}

interface Trying {
  readonly run: Run;
  readonly hypopg: string | undefined;
  readonly plans: { left: number };
}

/** Takes the index that saves most, then what saves more beside it, until nothing is worth it. */
async function chosen(trying: Trying, sql: string, options: readonly Option[]): Promise<Chosen[]> {
  const taken: Chosen[] = [];
  let { cost } = await guarded(trying.run, () => planOf(trying.run, sql));
  let left = options.slice(0, MOST_TRIED);
  while (left.length > 0 && taken.length < MOST_TOGETHER && cost > 0) {
    let best: Trial | undefined;
    const useful: Option[] = [];
    for (const option of left) {
      const trial = await tried(trying, sql, taken, option);
      if (!trial || trial.plan.cost > cost * (1 - WORTH)) continue;
      useful.push(option);
      if (!best || isBetter(trial, best)) best = trial;
    }
    if (!best) break;
    const { option, plan, bytes } = best;
    taken.push({ option, bytes, before: cost, after: plan.cost });
    cost = plan.cost;
    left = useful.filter((one) => one !== option);
  }
  return taken;
}

/** For nearly the same cost, fewer columns are better: the index is smaller and serves more queries. */
function isBetter(trial: Trial, best: Trial): boolean {
  const width = (one: Trial) => one.option.candidate.keys.length;
  if (Math.abs(trial.plan.cost - best.plan.cost) <= best.plan.cost * 0.02) return width(trial) < width(best);
  return trial.plan.cost < best.plan.cost;
}

async function tried(
  { run, hypopg, plans }: Trying,
  sql: string,
  taken: readonly Chosen[],
  option: Option,
): Promise<Trial | undefined> {
  plans.left -= 1;
  if (hypopg === undefined || plans.left < 0) return undefined;
  const indexes = [...taken.map((one) => one.option.sql), option.sql];
  return await imagined(run, hypopg, indexes, async (made) => {
    const plan = await planOf(run, sql);
    const last = made.at(-1);
    return last && plan.indexes.has(last.name) ? { option, plan, bytes: last.bytes } : undefined;
  });
}
