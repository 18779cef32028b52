import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createAnswerer } from '../../cli/elicitation.ts';
import { callOwn } from '../../cli/client.ts';
import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine, table } from '../../cli/table.ts';
import { choiceIn, configWithoutGateway, given, jsonOption, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { CommandOption, Values, Verbs } from '../../kernel/command.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { getTemplate } from '../templates/get-template.ts';
import type { searchTemplates } from '../templates/search-templates.ts';
import type { syncTemplates } from '../templates/sync-templates.ts';
import { checkModes } from '../validation/settings.ts';
import { callN8n } from './call-n8n.ts';
import { importedLines } from './imported-lines.ts';

const FEW = 20;
const MOST = 500;
const PAGE = 100;
const WHOLE_BYTES = 5_000_000;

const instance: CommandOption = { type: 'string', describe: 'Which n8n, by its name in the configuration' };
const shared = { config: configWithoutGateway, json: jsonOption } as const;

/** Workflow templates. */
export function templatesCommand(place: Place): Verbs {
  const { terminal } = place;

  /** Runs a verb with a gateway to call. Only importing needs an n8n. */
  async function withTool(values: Values, tool: string, work: (call: Call) => Promise<number>): Promise<number> {
    const signal = untilCancelled();
    await using client = await reach(place, { tool, signal, ...given('file', textIn(values, 'config')) });
    const options = {
      signal,
      onAsk: createAnswerer(terminal, false),
      onProgress: ({ progress, total, message }: Json) => {
        const said = typeof message === 'string' ? firstLine(message) : '';
        const count = typeof total === 'number' ? `${String(progress)} of ${total}` : '';
        terminal.progress([count, said].filter((one) => one !== '').join(': '));
      },
    };
    const call: Call = (name, args) =>
      name === IMPORT ? callN8n(client, name, args, options) : callOwn(client, name, args, options);
    return await work(call);
  }

  return {
    example: 'sluice templates search "remind customers of unpaid invoices"',
    verbs: {
      search: {
        summary: 'Finds templates for what you want to do',
        usage: '[QUERY] [--nodes A,B] [--category C] [--library L] [--fits] [--limit N]',
        example: 'sluice templates search "post new orders" --nodes slack,shopify --fits',
        positionals: [0, 1],
        options: {
          nodes: { type: 'string', repeats: true, describe: 'Nodes that it has to have, like slack,googleSheets' },
          category: { type: 'string', describe: 'Only this category, or tag' },
          library: { type: 'string', describe: 'Only this library: public, or one of your own' },
          fits: { type: 'boolean', describe: 'Only templates whose nodes this n8n has' },
          limit: { type: 'string', describe: `How many (${FEW})` },
          instance,
          ...shared,
        },
        run({ values, positionals: [query] }) {
          const limit = numberIn(values, 'limit', [1, MOST]) ?? FEW;
          const wanted = filterIn(values, query);
          return withTool(values, SEARCH, (call) => search(call, wanted, limit, values, terminal));
        },
      },
      show: {
        summary: 'Shows what a template does and what it needs',
        usage: 'TEMPLATE [--detail summary|structure|full]',
        example: 'sluice templates show 2947',
        positionals: [1, 1],
        options: {
          detail: { type: 'string', describe: 'summary; structure: its connections; full: the workflow as JSON' },
          instance,
          ...shared,
        },
        run({ values, positionals: [id = ''] }) {
          const detail = choiceIn(values, 'detail', ['summary', 'structure', 'full']) ?? 'summary';
          return withTool(values, GET, (call) => show(call, { id, detail, ...where(values) }, values, terminal));
        },
      },
      import: {
        summary: 'Creates a workflow from a template or an exported file, as a draft',
        usage: 'TEMPLATE|FILE.json [--name TEXT] [--credential TYPE=NAME …] [--dry-run]',
        example: 'sluice templates import 2947 --name "Weather for the team"',
        positionals: [1, 1],
        options: {
          name: { type: 'string', describe: 'The name of the workflow' },
          credential: {
            type: 'string',
            repeats: true,
            describe: 'Which credential to use for a type: slackApi=Team',
          },
          'sub-workflow': {
            type: 'string',
            repeats: true,
            describe: 'Which workflow to call here, by id, for a name or id in the template: NAME=ID',
          },
          'missing-nodes': { type: 'string', describe: 'If n8n lacks nodes: refuse, or import anyway (refuse)' },
          validate: { type: 'string', describe: 'What to do with validation errors: strict, warn or off' },
          'dry-run': { type: 'boolean', describe: 'Only say what would be imported, and what is missing' },
          instance,
          ...shared,
        },
        async run({ values, positionals: [what = ''] }) {
          const args = {
            ...given('name', textIn(values, 'name')),
            ...pairsIn(values, 'credential', 'credentials', 'TYPE=NAME, like slackApi=Team'),
            ...pairsIn(values, 'sub-workflow', 'sub_workflows', 'NAME=ID'),
            ...given('missing_nodes', choiceIn(values, 'missing-nodes', ['refuse', 'import'])),
            ...given('validate', choiceIn(values, 'validate', checkModes)),
            ...(values['dry-run'] === true && { dry_run: true }),
            ...where(values),
            ...(await templateIn(what, place.cwd)),
          };
          return withTool(values, IMPORT, (call) => take(call, args, values, terminal));
        },
      },
      sync: {
        summary: 'Downloads the list of public templates, to search it here and offline',
        usage: '[--limit N]',
        example: 'sluice templates sync --limit 5000',
        options: { limit: { type: 'string', describe: 'How many of the most viewed (2000)' }, ...shared },
        run({ values }) {
          const limit = numberIn(values, 'limit', [1, 50_000]);
          return withTool(values, SYNC, (call) => sync(call, limit === undefined ? {} : { limit }, values, terminal));
        },
      },
    },
  };
}

const SEARCH = 'n8n_search_templates';
const GET = 'n8n_get_template';
const SYNC = 'n8n_sync_templates';
const IMPORT = 'n8n_import_template';

type Call = <T>(tool: string, args: Json) => Promise<T>;

const where = (values: Values): Json => given('instance', textIn(values, 'instance'));

function filterIn(values: Values, query: string | undefined): Json {
  const nodes = textIn(values, 'nodes')
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    ...given('query', query),
    ...(nodes && nodes.length > 0 && { nodes }),
    ...given('category', textIn(values, 'category')),
    ...given('library', textIn(values, 'library')),
    ...(values.fits === true && { fits: true }),
    ...where(values),
  };
}

/** The id of a template, or the workflow in a file. */
async function templateIn(what: string, cwd: string): Promise<Json> {
  const isPath = /^\.{0,2}[/\\]/.test(what);
  if (!isPath && !/\.json$/i.test(what)) return { id: what };
  try {
    return { workflow: await readFile(resolve(cwd, what), 'utf8') };
  } catch (error) {
    // The id of a template in a library may have the ending of its file.
    if (!isPath && (error as NodeJS.ErrnoException).code === 'ENOENT') return { id: what };
    throw new UsageError(`${what} ${fileTrouble(error)}`);
  }
}

/** `slackApi=Team` as `{ credentials: { slackApi: 'Team' } }`. */
function pairsIn(values: Values, option: string, name: string, form: string): Json {
  const pairs = (textIn(values, option) ?? '').split(',').filter((one) => one !== '');
  if (pairs.length === 0) return {};
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1 || at === pair.length - 1) throw new UsageError(`--${option} must be ${form}, not ${pair}`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { [name]: Object.fromEntries(entries) as Json };
}

type Page = OutputOf<typeof searchTemplates>;

async function search(call: Call, wanted: Json, limit: number, values: Values, terminal: Terminal): Promise<number> {
  const found: Page['templates'] = [];
  let page: Page;
  let cursor: string | undefined;
  do {
    page = await call<Page>(SEARCH, {
      ...wanted,
      limit: Math.min(PAGE, limit - found.length),
      ...given('cursor', cursor),
    });
    found.push(...page.templates);
    ({ cursor } = page);
  } while (cursor !== undefined && found.length < limit);
  const { total, note, as_of: asOf } = page;
  if (values.json) {
    terminal.print(
      JSON.stringify({ templates: found, total, ...given('as_of', asOf), ...given('note', note) }, null, 2),
    );
  } else if (found.length > 0) {
    const rows = found.map(({ id, views, fits, nodes, name, paid }) => [
      id,
      views === undefined ? '-' : String(views),
      fits === undefined ? '-' : fits ? 'yes' : 'no',
      `${firstLine(name)}${paid ? ' (paid)' : ''} (${nodes.slice(0, 5).map(firstLine).join(', ')})`,
    ]);
    terminal.print(table([['ID', 'VIEWS', 'FITS', 'TEMPLATE'], ...rows], terminal.width).join('\n'));
  }
  if (found.length === 0 && !values.json) terminal.say('No template was found. Use other words or fewer filters.');
  if (note !== undefined && !values.json) terminal.say(note);
  if (asOf !== undefined && !values.json) terminal.say(`The public library was read on ${asOf.slice(0, 10)}.`);
  if (found.length < total && limit < MOST)
    terminal.say(`There are ${total - found.length} more: --limit ${Math.min(MOST, limit * 2)}.`);
  return exit.done;
}

type Shown = OutputOf<typeof getTemplate>;

async function show(call: Call, which: Json, values: Values, terminal: Terminal): Promise<number> {
  const isFull = which.detail === 'full';
  const found = await call<Shown>(GET, { ...which, ...(isFull && { max_bytes: WHOLE_BYTES }) });
  if (values.json) terminal.print(JSON.stringify(found, null, 2));
  else if (isFull && found.workflow) terminal.print(JSON.stringify(found.workflow, null, 2));
  else terminal.print(shownLines(found).join('\n'));
  for (const text of [found.more, found.note]) if (text !== undefined && !values.json) terminal.say(text);
  return exit.done;
}

function shownLines(found: Shown): string[] {
  const { name, id, description, author, created, views, categories, fits, uses, credentials, notes, structure } =
    found;
  const about = [
    id,
    ...(author === undefined ? [] : [`by ${firstLine(author)}`]),
    ...(created === undefined ? [] : [created.slice(0, 10)]),
    ...(views === undefined ? [] : [`${views} views`]),
    ...(categories ?? []).map(firstLine),
    ...(found.paid ? ['has to be bought'] : []),
    ...(found.read_at === undefined ? [] : [`read on ${found.read_at.slice(0, 10)}`]),
  ];
  return [
    firstLine(name),
    about.join(' · '),
    ...(description === undefined ? [] : ['', firstLine(description)]),
    ...(fits === undefined ? [] : ['', fits ? 'This n8n has all its nodes.' : 'This n8n lacks some of its nodes.']),
    ...(uses === undefined
      ? []
      : ['', 'Nodes', ...uses.map(({ type, version, count, lacks }) => usedLine(type, version, count, lacks))]),
    ...(credentials === undefined ? [] : ['', 'Credentials', ...credentials.map((type) => `  ${firstLine(type)}`)]),
    ...(notes === undefined ? [] : ['', 'Notes', ...notes.map((text) => `  ${firstLine(text)}`)]),
    ...(structure === undefined
      ? []
      : [
          '',
          ...structure.map(
            (node) => `  ${firstLine(node.name)}${node.to ? ` -> ${node.to.map(firstLine).join(', ')}` : ''}`,
          ),
        ]),
  ];
}

const usedLine = (type: string, version: number, count: number, lacks: string | undefined): string =>
  `  ${firstLine(type)} v${version}${count > 1 ? ` (${count})` : ''}${lacks === undefined ? '' : `: this n8n lacks ${lacks}`}`;

async function take(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Json>(IMPORT, args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    const { id, lines } = importedLines(done);
    if (id !== undefined) terminal.print(id);
    for (const line of lines) terminal.say(line);
  }
  return exit.done;
}

async function sync(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof syncTemplates>>(SYNC, args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    const { templates, total, pages } = done;
    const news = pages.read === 0 ? 'All of them were up to date.' : `${pages.read} pages were read now.`;
    terminal.say(`${templates} of ${total} templates can be found on this machine. ${news}`);
  }
  return exit.done;
}
