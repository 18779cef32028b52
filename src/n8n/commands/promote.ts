import { createAnswerer } from '../../cli/elicitation.ts';
import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine } from '../../cli/table.ts';
import { choiceIn, configWithoutGateway, given, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Action, Values } from '../../kernel/command.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { listPromotions } from '../promotion/list-promotions.ts';
import type { promote } from '../promotion/promote.ts';
import type { undoPromotion } from '../promotion/undo-promotion.ts';
import { callN8n } from './call-n8n.ts';
import { keepLearned, type Learned, mappingArgument, readMapping } from './mapping-file.ts';

const MOST_NAMED = 500;

type Call = <T>(tool: string, args: Json) => Promise<T>;
type Report = OutputOf<typeof promote>;

/** `sluice n8n promote`: shows the plan, asks, and carries it out. */
export function promoteCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: 'WORKFLOW … --from A --to B [--mapping FILE] [--publish live|all] [--dry-run] [--yes]',
    example: 'sluice n8n promote Orders --from staging --to production --create-credentials',
    positionals: [0, MOST_NAMED],
    options: {
      from: { type: 'string', describe: 'The n8n that the workflows come from' },
      to: { type: 'string', describe: 'The other n8n' },
      tag: { type: 'string', describe: 'All workflows with this tag' },
      all: { type: 'boolean', describe: 'All workflows' },
      mapping: { type: 'string', describe: 'A YAML or JSON file: what stands for what; updated afterwards' },
      'create-credentials': { type: 'boolean', describe: 'Create missing credentials, without values' },
      'update-dependencies': { type: 'boolean', describe: 'Also update sub-workflows that are already there' },
      publish: { type: 'string', describe: 'live: publish those that are live where they come from; all: all of them' },
      'allow-holes': { type: 'boolean', describe: 'Go ahead although something is missing there' },
      overwrite: { type: 'boolean', describe: 'Overwrite changes that somebody made there' },
      undo: { type: 'boolean', describe: 'Undo the last promotion to --to' },
      'dry-run': { type: 'boolean', describe: 'Only show the plan' },
      yes: { type: 'boolean', short: 'y', describe: 'Go ahead without asking' },
      config: configWithoutGateway,
      json: jsonOption,
    },
    async run({ values, positionals: workflows }) {
      if (textIn(values, 'to') === undefined) throw new UsageError('name the target with --to');
      if (values.undo) assertOnlyUndo(values, workflows);
      const asked = values.undo ? undefined : await argumentsIn(values, workflows, terminal);
      const signal = untilCancelled();
      const file = textIn(values, 'config');
      await using client = await reach(place, { tool: 'n8n_promote', signal, ...given('file', file) });
      const call: Call = (tool, args) =>
        callN8n(client, tool, args, {
          signal,
          onAsk: createAnswerer(terminal, values.yes === true),
          onProgress: ({ progress, total, message }) =>
            terminal.progress(`${String(progress)} of ${String(total)}: ${firstLine(String(message))}`),
        });
      return await (asked ? promoteAll(call, asked, values, terminal) : undo(call, values, terminal));
    },
  };
}

const withUndo = new Set(['undo', 'to', 'overwrite', 'yes', 'config', 'json']);

/** An undo takes back the whole promotion: nobody may believe that it is only shown, or only for some workflows. */
function assertOnlyUndo(values: Values, workflows: readonly string[]): void {
  const other = Object.keys(values).find((name) => values[name] !== undefined && !withUndo.has(name));
  if (workflows.length > 0) throw new UsageError('--undo undoes the whole promotion, so it takes no workflows');
  if (other !== undefined) throw new UsageError(`--undo undoes the whole promotion, so it takes no --${other}`);
}

interface Given {
  readonly asked: Json;
  /** The path of the mapping file. */
  readonly mapping?: string | undefined;
}

async function argumentsIn(values: Values, workflows: readonly string[], terminal: Terminal): Promise<Given> {
  const [from, tag, path] = [textIn(values, 'from'), textIn(values, 'tag'), textIn(values, 'mapping')];
  if (from === undefined) throw new UsageError('name the source with --from');
  const ways = Number(workflows.length > 0) + Number(tag !== undefined) + Number(values.all === true);
  if (ways !== 1) throw new UsageError('name workflows, or use --tag, or --all');
  const mapping = path === undefined ? undefined : await readMapping(path);
  if (path !== undefined && !mapping) terminal.say(`There is no ${path} yet, so it maps nothing.`);
  const asked = {
    from,
    to: textIn(values, 'to'),
    full: true,
    ...(workflows.length > 0 && { workflows }),
    ...(tag !== undefined && { tag }),
    ...(values.all === true && { all: true }),
    ...(mapping && { mapping: mappingArgument(mapping) }),
    ...(values['create-credentials'] === true && { credentials: 'create_empty' }),
    ...(values['update-dependencies'] === true && { update_dependencies: true }),
    ...published(values),
    ...(values['allow-holes'] === true && { allow_holes: true }),
    ...(values.overwrite === true && { overwrite: true }),
  };
  return { asked, mapping: path };
}

async function promoteAll(call: Call, { asked, mapping }: Given, values: Values, terminal: Terminal): Promise<number> {
  const plan = await call<Report>('n8n_promote', asked);
  const isOver = plan.state === 'blocked' || plan.state === 'nothing to do' || values['dry-run'] === true;
  if (values.json && isOver) terminal.print(JSON.stringify(plan, null, 2));
  else if (!values.json) for (const line of planLines(plan)) terminal.print(line);
  if (plan.state === 'blocked') {
    for (const line of waysOn(plan)) terminal.say(line);
    return exit.failed;
  }
  if (isOver) return exit.done;
  if (!(await isWanted(plan, values, terminal))) return exit.failed;
  const done = await call<Report>('n8n_promote', { apply: plan.plan, full: true });
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    const { create, update } = done.counts;
    terminal.say(
      `Created ${create}, updated ${update} on ${done.to}. \`sluice n8n promote --undo --to ${done.to}\` undoes it.`,
    );
  }
  for (const { name, type, url, fields } of done.to_fill ?? []) {
    terminal.say(`Fill in the credential "${firstLine(name)}" (${type}: ${fields.join(', ')}): ${url}`);
  }
  const known = new Set(plan.notes);
  for (const note of done.notes ?? []) if (!known.has(note)) terminal.say(firstLine(note));
  // Last: if it cannot be written, the report is there all the same.
  if (mapping !== undefined) await keepLearned(mapping, await learned(call, asked));
  return exit.done;
}

/** What the report says with the arguments of the tool, with the options of the command. */
function waysOn({ holes = [], counts, to }: Report): string[] {
  return [
    ...(holes.length > 0
      ? [
          '--mapping FILE says what stands for something that is missing, --create-credentials creates credentials without values, --allow-holes leaves references empty.',
        ]
      : []),
    ...(counts.conflict > 0 ? [`--overwrite overwrites what somebody changed on ${to}.`] : []),
  ];
}

async function isWanted({ to }: Report, values: Values, terminal: Terminal): Promise<boolean> {
  if (values.yes === true) return true;
  if (!terminal.interactive) {
    terminal.say('Nothing was changed: this is not a terminal, so nobody can confirm. Add --yes to go ahead.');
    return false;
  }
  return /^y(es)?$/i.test((await terminal.ask(`Do this on ${to}? [y/N] `)) ?? '');
}

async function learned(call: Call, { from, to }: Json): Promise<Learned> {
  const found: Learned = [];
  let cursor: string | undefined;
  do {
    const page = await call<OutputOf<typeof listPromotions>>('n8n_list_promotions', {
      from,
      to,
      mapping: true,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...(page.mapping ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

function planLines({
  state,
  counts,
  workflows,
  creates = {},
  holes = [],
  problems = [],
  mapped = [],
  notes = [],
}: Report): string[] {
  return [
    ...workflows
      .filter(({ action, publish }) => action !== 'unchanged' || publish)
      .flatMap(({ action, name, publish, changes = [], since = [] }) => [
        `${action === 'unchanged' ? 'publish' : action} "${firstLine(name)}"${publish && action !== 'unchanged' ? ', publish' : ''}`,
        ...changes.map((line) => `    ${line}`),
        ...since.map((line) => `    changed there: ${line}`),
      ]),
    ...(creates.tags ?? []).map((name) => `create the tag "${firstLine(name)}"`),
    ...(creates.data_tables ?? []).map((name) => `create the data table "${firstLine(name)}" without rows`),
    ...(creates.credentials ?? []).map((name) => `create the credential ${firstLine(name)} without values`),
    ...mapped.map((line) => `map ${firstLine(line)}`),
    ...holes.map(
      ({ what, used_by: users, why, fix }) =>
        `missing ${firstLine(what)}, used by ${users}: ${why}. To fill it, ${fix}.`,
    ),
    ...problems.map((line) => `problem: ${line}`),
    ...notes.map((line) => `note: ${firstLine(line)}`),
    `${counts.create} to create, ${counts.update} to update, ${counts.unchanged} unchanged, ${counts.conflict} in conflict${state === 'blocked' ? ': this cannot be done yet' : ''}`,
  ];
}

async function undo(call: Call, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof undoPromotion>>('n8n_undo_promotion', {
    to: textIn(values, 'to'),
    ...(values.overwrite === true && { overwrite: true }),
  });
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    for (const line of done.taken_back) terminal.print(firstLine(line));
    terminal.say(`Promotion ${done.promotion} from ${done.from} to ${done.to} is ${done.state}.`);
  }
  for (const line of done.failed ?? []) terminal.say(`Not taken back: ${firstLine(line)}`);
  return done.failed ? exit.failed : exit.done;
}

function published(values: Values): Json {
  const wanted = choiceIn(values, 'publish', ['live', 'all']);
  return wanted === undefined ? {} : { publish: wanted === 'all' ? true : 'as_source' };
}
