import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { Json } from '../kernel/source.ts';
import { callN8n } from './call-n8n.ts';
import { createAnswerer } from './elicitation.ts';
import { exit, UsageError } from './frame.ts';
import { untilSignal } from './interrupt.ts';
import { type GatewayAccess, reach } from './reach.ts';
import { firstLine, table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

type Values = Record<string, string | boolean | undefined>;

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly taken: string;
  readonly reason: string;
  readonly why: string;
  readonly bytes: number;
}

interface Whole {
  readonly id: string;
  readonly instance: string;
  readonly taken: string;
  readonly bytes: number;
}

interface Page {
  readonly backups?: Listed[];
  readonly whole?: Whole[];
  readonly cursor?: string;
}

const verbs = ['create', 'list', 'restore', 'diff', 'prune'] as const;
const FEW = 50;
const PAGE = 250;

/** Backups of n8n: taken, listed, brought back, compared, deleted when they are old. */
export function backupCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'backup',
    summary: 'Backs n8n up, and restores workflows',
    usage:
      'sluice backup create [WORKFLOW …] | list [WORKFLOW] | restore BACKUP|WORKFLOW | diff BACKUP|WORKFLOW [BACKUP] | prune [WORKFLOW] [--instance N] [--json]',
    example: 'sluice backup restore default/aB3xY9kLmN0pQrSt/20261115T073012123Z-delete-3f9a1c --publish',
    positionals: [1, PAGE],
    options: {
      instance: { type: 'string', describe: 'Which n8n, as the configuration names it' },
      workflow: { type: 'string', describe: 'restore, diff: which workflow, of a backup of a whole n8n' },
      name: { type: 'string', describe: "list: what occurs in the workflow's name; restore: the name of the copy" },
      whole: { type: 'boolean', describe: 'list: backups of whole n8n instances' },
      limit: { type: 'string', describe: `list: how many (${FEW})` },
      copy: { type: 'boolean', describe: 'restore: as a new workflow' },
      publish: { type: 'boolean', describe: 'restore: make live what was live' },
      keep: { type: 'string', describe: 'prune: how many of each workflow stay (as configured)' },
      days: { type: 'string', describe: 'prune: none older than this many days stays (as configured)' },
      all: { type: 'boolean', describe: 'prune: also those that were asked for, and the first of each day' },
      'dry-run': { type: 'boolean', describe: 'prune: only say what would go' },
      yes: { type: 'boolean', short: 'y', describe: 'prune: delete without asking' },
      config: { type: 'string', short: 'c', describe: 'The configuration file, where no gateway runs' },
      json: { type: 'boolean', describe: 'Print JSON' },
    },
    async run({ values, positionals: [verb, ...words] }) {
      const known = verbs.find((one) => one === verb);
      if (!known) throw new UsageError(`say create, list, restore, diff or prune, not ${verb}`);
      const limit = countIn(values, 'limit') ?? FEW;
      const limits = { keep: countIn(values, 'keep'), days: countIn(values, 'days') };
      assertWords(known, words);
      const stop = new AbortController();
      void untilSignal().then(() => stop.abort(new AppError('cancelled', 'Cancelled.')));
      const config = typeof values.config === 'string' ? { config: values.config } : {};
      await using client = await reach(access, terminal, { tool: 'n8n_list_backups', signal: stop.signal, ...config });
      const call: Call = (tool, args) =>
        callN8n(client, tool, args, {
          signal: stop.signal,
          onAsk: createAnswerer(terminal, values.yes === true),
          onProgress: ({ progress, total }) => terminal.progress(`${String(progress)} of ${String(total)} workflows`),
        });
      const where = typeof values.instance === 'string' ? { instance: values.instance } : {};
      switch (known) {
        case 'create':
          return await create(call, where, words, values, terminal);
        case 'list':
          return await list(call, { ...where, ...filterIn(values, words[0]) }, limit, values, terminal);
        case 'restore':
          return await restore(call, { ...where, ...chosen(words[0] as string, values) }, values, terminal);
        case 'diff':
          return await diff(
            call,
            { ...where, ...sidesIn(words[0] as string, words[1] ?? 'draft', values) },
            values,
            terminal,
          );
        case 'prune':
          return await prune(call, { ...where, ...limits, ...filterIn(values, words[0]) }, values, terminal);
      }
    },
  };
}

type Call = <T>(tool: string, args: Json) => Promise<T>;

interface WholeDone
  extends Readonly<
    Record<'workflows' | 'changed' | 'tags' | 'credentials' | 'data_tables' | 'rows' | 'bytes', number>
  > {
  readonly backup: string;
  readonly missing?: readonly string[];
}

async function create(call: Call, where: Json, ids: string[], values: Values, terminal: Terminal): Promise<number> {
  if (ids.length === 0) {
    const done = await call<WholeDone>('n8n_backup_instance', where);
    if (values.json) terminal.print(JSON.stringify(done, null, 2));
    else {
      terminal.print(done.backup);
      const { workflows, changed, tags, credentials, data_tables: tables, rows, bytes } = done;
      terminal.say(
        `${workflows} workflows (${changed} changed since their last backup), ${tags} tags, ${tables} data tables with ${rows} rows, ${credentials} credentials without their values: ${size(bytes)}.`,
      );
    }
    for (const line of done.missing ?? []) terminal.say(`Not in it: ${firstLine(line)}`);
    return exit.done;
  }
  const done = await call<{
    backups: { name: string; backup: string; unchanged?: boolean }[];
    failed?: { id: string; error: string }[];
  }>('n8n_backup_workflow', { ...where, id: ids });
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else for (const { backup } of done.backups) terminal.print(backup);
  for (const { name, unchanged } of done.backups) {
    if (unchanged && !values.json) terminal.say(`"${firstLine(name)}" has not changed since this backup.`);
  }
  for (const { id, error } of done.failed ?? []) terminal.say(`${id}: ${firstLine(error)}`);
  return done.failed ? exit.failed : exit.done;
}

async function list(call: Call, filter: Json, limit: number, values: Values, terminal: Terminal): Promise<number> {
  const found: (Listed | Whole)[] = [];
  let cursor: string | undefined;
  do {
    const page = await call<Page>('n8n_list_backups', {
      ...filter,
      limit: Math.min(PAGE, limit - found.length),
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...(page.backups ?? page.whole ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < limit);
  if (values.json) terminal.print(JSON.stringify(found, null, 2));
  else if (found.length === 0) terminal.say('There are no backups. `sluice backup create` makes one of everything.');
  else {
    const rows = found.map((one) => [
      one.id,
      one.taken,
      'reason' in one && one.reason !== 'asked' ? one.reason : '-',
      'why' in one ? one.why : 'asked for',
      size(one.bytes),
      firstLine('name' in one ? one.name : `all of ${one.instance}`),
    ]);
    terminal.print(table([['ID', 'TAKEN', 'BEFORE', 'WHY', 'SIZE', 'WORKFLOW'], ...rows], terminal.width).join('\n'));
  }
  if (cursor !== undefined) terminal.say(`There are more: --limit ${limit * 2}, or name a workflow.`);
  return exit.done;
}

interface Restored {
  readonly restored: string;
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean };
  readonly addresses?: readonly { readonly node: string; readonly url: string }[];
  readonly backup?: string;
  readonly changes?: string[];
  readonly missing_credentials?: string[];
  readonly publication?: { readonly published: boolean; readonly note?: string };
  readonly validation?: {
    readonly findings: readonly { severity: string; node?: string; path: string; message: string }[];
    readonly note?: string;
  };
  readonly notes?: string[];
}

async function restore(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Restored>('n8n_restore_workflow', {
    ...which,
    ...(values.copy === true && { copy: true }),
    ...(values.publish === true && { publish: true }),
    ...(typeof values.name === 'string' && { name: values.name }),
    // Whoever names a backup wants it back; what is wrong with it is said.
    validate: 'warn',
  });
  const {
    restored,
    workflow,
    addresses = [],
    changes = [],
    backup,
    missing_credentials: missing = [],
    publication,
    validation,
    notes = [],
  } = done;
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    terminal.print(workflow.id);
    const how = { 'in place': 'is as it was', 'brought back': 'is back under its own id', copy: 'is a new workflow' };
    terminal.say(
      `"${firstLine(workflow.name)}" ${how[restored as keyof typeof how]}${workflow.active ? ', and live' : ''}.`,
    );
    for (const { node, url } of addresses) terminal.say(`  ${firstLine(node)}: ${url}`);
    for (const line of changes) terminal.say(`  ${line}`);
    if (backup !== undefined) terminal.say(`What was there before: ${backup}`);
  }
  for (const line of missing) terminal.say(`Credential missing: ${firstLine(line)}`);
  if (publication?.note !== undefined) terminal.say(publication.note);
  for (const { severity, node, path, message } of validation?.findings ?? []) {
    terminal.say(`${severity}: ${firstLine(node === undefined ? path : `"${node}"`)}: ${firstLine(message)}`);
  }
  if (validation?.note !== undefined) terminal.say(validation.note);
  for (const note of notes) terminal.say(note);
  return publication?.published === false ? exit.failed : exit.done;
}

interface Differing {
  readonly same: boolean;
  readonly changes: string[];
  readonly more?: string;
}

/** Like diff(1): 0 when nothing differs, 1 when something does. */
async function diff(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const lines: string[] = [];
  let page: Differing;
  do {
    page = await call<Differing>('n8n_diff_versions', { ...which, from: lines.length });
    lines.push(...page.changes);
  } while (page.more !== undefined);
  if (values.json) terminal.print(JSON.stringify({ ...page, changes: lines }, null, 2));
  else if (page.same) terminal.say('Nothing differs.');
  else terminal.print(lines.join('\n'));
  return page.same ? exit.done : exit.failed;
}

/** The id of a backup has slashes, that of a workflow has none. */
function chosen(word: string, { workflow }: Values): Json {
  if (!word.includes('/')) return { workflow: word };
  return { backup: word, ...(typeof workflow === 'string' && { workflow }) };
}

/** From a backup, or the newest one of a workflow, to another or to what is there now. */
function sidesIn(word: string, after: string, { workflow }: Values): Json {
  if (!word.includes('/')) return { id: word, before: 'backup', after };
  return { ...(typeof workflow === 'string' && { id: workflow }), before: word, after };
}

interface Pruned {
  readonly deleted: number;
  readonly kept: number;
  readonly bytes: number;
  readonly would_go?: number;
}

async function prune(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Pruned>('n8n_prune_backups', {
    ...which,
    ...(values.all === true && { all: true }),
    ...(values['dry-run'] === true && { dry_run: true }),
  });
  const { deleted, kept, bytes, would_go: wouldGo } = done;
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else if (wouldGo !== undefined) terminal.say(`${wouldGo} of ${kept} would go: ${size(bytes)}.`);
  else terminal.say(`${deleted} deleted (${size(bytes)}), ${kept} kept.`);
  return exit.done;
}

function filterIn({ name, whole }: Values, workflow: string | undefined): Json {
  return {
    ...(workflow !== undefined && { workflow }),
    ...(typeof name === 'string' && { name }),
    ...(whole === true && { whole: true }),
  };
}

function countIn(values: Values, option: 'limit' | 'keep' | 'days'): number | undefined {
  const given = values[option];
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new UsageError(`--${option} is a number from 1 on, not ${given}`);
}

const wordsFor = { create: [0, PAGE], list: [0, 1], restore: [1, 1], diff: [1, 2], prune: [0, 1] } as const;

function assertWords(verb: (typeof verbs)[number], words: readonly string[]): void {
  const [least, most] = wordsFor[verb];
  if (words.length >= least && words.length <= most) return;
  const what = {
    create: 'workflows, or none for all',
    list: 'a workflow, or nothing',
    restore: 'one backup or workflow',
    diff: 'a backup or workflow, and maybe another backup',
    prune: 'a workflow, or nothing',
  };
  throw new UsageError(`${verb} takes ${what[verb]}`);
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
