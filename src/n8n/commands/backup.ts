import { createAnswerer } from '../../cli/elicitation.ts';
import { exit } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine } from '../../cli/table.ts';
import { configWithoutGateway, given, jsonOption, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { CommandOption, Values, Verbs } from '../../kernel/command.ts';
import type { Json } from '../../kernel/source.ts';
import { counted } from '../../kernel/some-of.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { backupInstance } from '../backups/backup-instance.ts';
import type { backupWorkflow } from '../backups/backup-workflow.ts';
import type { copyBackups } from '../backups/copy-backups.ts';
import type { pruneBackups } from '../backups/prune-backups.ts';
import type { restoreWorkflow } from '../backups/restore-workflow.ts';
import type { diffVersions } from '../workflows/diff-versions.ts';
import { type Call, listed, PAGE, size } from './backup-list.ts';
import { callN8n } from './call-n8n.ts';

const FEW = 50;
const ANY: readonly [number, number] = [1, Number.POSITIVE_INFINITY];

const shared = {
  instance: { type: 'string', describe: 'Which n8n, by its name in the configuration' },
  config: configWithoutGateway,
  json: jsonOption,
} as const;
const oneOfWhole: CommandOption = { type: 'string', describe: 'Which workflow, of a backup of a whole n8n' };
const nameFilter: CommandOption = { type: 'string', describe: "Text in the workflow's name" };
const wholeOnes: CommandOption = { type: 'boolean', describe: 'Backups of whole n8n instances' };
const tableOnes: CommandOption = { type: 'boolean', describe: 'Backups of data tables' };

/** Backups of n8n. */
export function backupCommand(place: Place): Verbs {
  const { terminal } = place;

  /** Runs a verb with a gateway to call. */
  async function withN8n(values: Values, work: (call: Call, where: Json) => Promise<number>): Promise<number> {
    const signal = untilCancelled();
    const file = textIn(values, 'config');
    await using client = await reach(place, { tool: 'n8n_list_backups', signal, ...given('file', file) });
    const call: Call = (tool, args) =>
      callN8n(client, tool, args, {
        signal,
        onAsk: createAnswerer(terminal, values.yes === true),
        onProgress: ({ progress, total, message }) =>
          terminal.progress(
            `${String(progress)} of ${String(total)} ${typeof message === 'string' ? message : 'workflows'}`,
          ),
      });
    return await work(call, given('instance', textIn(values, 'instance')));
  }

  return {
    example: 'sluice backup restore default/aB3xY9kLmN0pQrSt/20261115T073012123Z-delete-3f9a1c --publish',
    verbs: {
      create: {
        summary: 'Backs up the whole n8n, or only these workflows',
        usage: '[WORKFLOW …]',
        example: 'sluice backup create',
        positionals: [0, PAGE],
        options: shared,
        run: ({ values, positionals: ids }) =>
          withN8n(values, (call, where) =>
            ids.length === 0 ? createWhole(call, where, values, terminal) : create(call, where, ids, values, terminal),
          ),
      },
      list: {
        summary: 'Lists backups, newest first',
        usage: '[WORKFLOW] [--name TEXT] [--whole] [--data-tables] [--limit N]',
        example: 'sluice backup list --name invoice',
        positionals: [0, 1],
        options: {
          name: nameFilter,
          whole: wholeOnes,
          'data-tables': tableOnes,
          limit: { type: 'string', describe: `How many (${FEW})` },
          ...shared,
        },
        run({ values, positionals: [workflow] }) {
          const limit = numberIn(values, 'limit', ANY) ?? FEW;
          return withN8n(values, (call, where) =>
            listed(call, { ...where, ...filterIn(values, workflow) }, limit, values, terminal),
          );
        },
      },
      restore: {
        summary: 'Restores a backup, or the newest one of a workflow',
        usage: 'BACKUP|WORKFLOW [--workflow ID] [--copy [--name TEXT]] [--publish]',
        example: 'sluice backup restore aB3xY9kLmN0pQrSt',
        positionals: [1, 1],
        options: {
          workflow: oneOfWhole,
          copy: { type: 'boolean', describe: 'Restore it as a new workflow' },
          name: { type: 'string', describe: 'The name of the copy' },
          publish: { type: 'boolean', describe: 'Publish the version that was live' },
          ...shared,
        },
        run: ({ values, positionals: [word = ''] }) =>
          withN8n(values, (call, where) => restore(call, { ...where, ...chosen(word, values) }, values, terminal)),
      },
      diff: {
        summary: 'Compares a backup with another one, or with what n8n has now',
        usage: 'BACKUP|WORKFLOW [BACKUP] [--workflow ID]',
        example: 'sluice backup diff aB3xY9kLmN0pQrSt',
        positionals: [1, 2],
        options: { workflow: oneOfWhole, ...shared },
        run: ({ values, positionals: [word = '', after = 'draft'] }) =>
          withN8n(values, (call, where) => diff(call, { ...where, ...sidesIn(word, after, values) }, values, terminal)),
      },
      copy: {
        summary: 'Copies what S3 lacks from the disk',
        usage: '',
        example: 'sluice backup copy',
        positionals: [0, 0],
        options: { config: configWithoutGateway, json: jsonOption },
        run: ({ values }) => withN8n(values, (call) => copy(call, values, terminal)),
      },
      prune: {
        summary: 'Deletes old backups',
        usage: '[WORKFLOW] [--keep N] [--days N] [--all] [--dry-run] [--yes]',
        example: 'sluice backup prune --keep 20 --dry-run',
        positionals: [0, 1],
        options: {
          keep: { type: 'string', describe: 'How many of each workflow to keep (as configured)' },
          days: { type: 'string', describe: 'Delete backups older than this many days (as configured)' },
          all: { type: 'boolean', describe: 'Also those that somebody asked for, and the first of each day' },
          'dry-run': { type: 'boolean', describe: 'Only say what would be deleted' },
          yes: { type: 'boolean', short: 'y', describe: 'Delete without asking' },
          ...shared,
        },
        run({ values, positionals: [workflow] }) {
          const limits = { keep: numberIn(values, 'keep', ANY), days: numberIn(values, 'days', ANY) };
          return withN8n(values, (call, where) =>
            prune(call, { ...where, ...limits, ...given('workflow', workflow) }, values, terminal),
          );
        },
      },
    },
  };
}

async function copy(call: Call, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof copyBackups>>('n8n_copy_backups', {});
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else if (done.copied > 0) terminal.say(`${counted(done.copied, 'backup')} copied to S3.`);
  else if (done.note === undefined) terminal.say('S3 has all of them.');
  if (done.note !== undefined) terminal.say(done.note);
  return done.note === undefined ? exit.done : exit.failed;
}

async function createWhole(call: Call, where: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof backupInstance>>('n8n_backup_instance', where);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    terminal.print(done.backup);
    const { workflows, changed, tags, credentials, data_tables: tables, rows, bytes } = done;
    terminal.say(
      `${workflows} workflows (${changed} changed since their last backup), ${tags} tags, ${tables} data tables with ${rows} rows, ${credentials} credentials without their values: ${size(bytes)}.`,
    );
  }
  for (const line of done.missing ?? []) terminal.say(`Not in it: ${firstLine(line)}`);
  if (done.note !== undefined) terminal.say(done.note);
  return exit.done;
}

async function create(
  call: Call,
  where: Json,
  ids: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const done = await call<OutputOf<typeof backupWorkflow>>('n8n_backup_workflow', { ...where, id: ids });
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else for (const { backup } of done.backups) terminal.print(backup);
  for (const { name, unchanged } of done.backups) {
    if (unchanged && !values.json) terminal.say(`"${firstLine(name)}" has not changed since this backup.`);
  }
  for (const { id, error } of done.failed ?? []) terminal.say(`${id}: ${firstLine(error)}`);
  if (done.note !== undefined) terminal.say(done.note);
  return done.failed ? exit.failed : exit.done;
}

async function restore(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof restoreWorkflow>>('n8n_restore_workflow', {
    ...which,
    ...(values.copy === true && { copy: true }),
    ...(values.publish === true && { publish: true }),
    ...(typeof values.name === 'string' && { name: values.name }),
    // Validation must not stop a restore: its findings are printed as warnings.
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
    terminal.say(`"${firstLine(workflow.name)}" ${how[restored]}${workflow.active ? ', and live' : ''}.`);
    for (const { node, url } of addresses) terminal.say(`  ${firstLine(node)}: ${url}`);
    for (const line of changes) terminal.say(`  ${line}`);
    if (backup !== undefined) terminal.say(`Backup of what was there before: ${backup}`);
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

type Differing = OutputOf<typeof diffVersions>;

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

/** The id of a backup has slashes; that of a workflow has none. */
function chosen(word: string, { workflow }: Values): Json {
  if (!word.includes('/')) return { workflow: word };
  return { backup: word, ...(typeof workflow === 'string' && { workflow }) };
}

/** From a backup, or the newest one of a workflow, to another backup or to what n8n has now. */
function sidesIn(word: string, after: string, { workflow }: Values): Json {
  if (!word.includes('/')) return { id: word, before: 'backup', after };
  return { ...(typeof workflow === 'string' && { id: workflow }), before: word, after };
}

async function prune(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof pruneBackups>>('n8n_prune_backups', {
    ...which,
    ...(values.all === true && { all: true }),
    ...(values['dry-run'] === true && { dry_run: true }),
  });
  const { deleted, kept, bytes, would_go: wouldGo, note } = done;
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else if (wouldGo !== undefined) terminal.say(`${wouldGo} of ${kept} would be deleted: ${size(bytes)}.`);
  else terminal.say(`${deleted} deleted (${size(bytes)}), ${kept} kept.`);
  if (note !== undefined) terminal.say(note);
  return exit.done;
}

function filterIn({ name, whole, 'data-tables': tables }: Values, workflow: string | undefined): Json {
  return {
    ...(tables === true && { data_tables: true }),
    ...(workflow !== undefined && { workflow }),
    ...(typeof name === 'string' && { name }),
    ...(whole === true && { whole: true }),
  };
}
