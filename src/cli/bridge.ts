import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { Json } from '../kernel/source.ts';
import { callN8n } from './call-n8n.ts';
import { exit, UsageError } from './frame.ts';
import { untilSignal } from './interrupt.ts';
import { type GatewayAccess, reach } from './reach.ts';
import { firstLine, table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

type Values = Record<string, string | boolean | undefined>;

const verbs = ['plan', 'apply', 'remove', 'status'] as const;
const MOST_WORKFLOWS = 100;

/** n8n's AI tools and workflows as tools: what would be, is, and was made for it in n8n. */
export function bridgeCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'bridge',
    summary: "Lists n8n's AI tools and workflows as tools",
    usage: 'sluice bridge plan|apply|remove [WORKFLOW …] | status [WORKFLOW] [--instance N] [--json]',
    example: "sluice bridge apply 'My agent'",
    positionals: [1, MOST_WORKFLOWS + 1],
    options: {
      instance: { type: 'string', describe: 'Which n8n, as the configuration names it (all that are bridged)' },
      others: { type: 'boolean', describe: 'remove: also what another Sluice left in that n8n' },
      config: { type: 'string', short: 'c', describe: 'The configuration file, where no gateway runs' },
      json: { type: 'boolean', describe: 'Print JSON' },
    },
    async run({ values, positionals: [verb, ...words] }) {
      const known = verbs.find((one) => one === verb);
      if (!known) throw new UsageError(`say plan, apply, remove or status, not ${verb}`);
      if (known === 'status' && words.length > 1) throw new UsageError('status takes one workflow, or none');
      const stop = new AbortController();
      void untilSignal().then(() => stop.abort(new AppError('cancelled', 'Cancelled.')));
      const config = typeof values.config === 'string' ? { config: values.config } : {};
      await using client = await reach(access, terminal, { tool: 'bridge_status', signal: stop.signal, ...config });
      const call: Call = (tool, args) =>
        callN8n(client, tool, args, {
          signal: stop.signal,
          // Whoever types `remove` has decided; the question is there for models.
          onAsk: async () => ({ result: { action: 'accept', content: {} } }),
          onProgress: ({ progress, total, message }) =>
            terminal.progress(
              `${String(progress)} of ${String(total)} workflows: ${firstLine(typeof message === 'string' ? message : '')}`,
            ),
        });
      const where = typeof values.instance === 'string' ? { instance: values.instance } : {};
      const which = words.length > 0 ? { workflows: words } : {};
      switch (known) {
        case 'plan':
          return await plan(call, { ...where, ...which }, values, terminal);
        case 'apply':
          return await apply(call, { ...where, ...which }, values, terminal);
        case 'remove':
          return await remove(
            call,
            { ...where, ...which, ...(values.others === true && { others: true }) },
            values,
            terminal,
          );
        case 'status':
          return await status(
            call,
            { ...where, ...(words[0] !== undefined && { workflow: words[0] }) },
            values,
            terminal,
          );
      }
    },
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

type Call = <T>(tool: string, args: Json) => Promise<T>;

interface Plan {
  readonly workflows: readonly {
    readonly name: string;
    readonly chosen: string;
    readonly expose: readonly string[];
    readonly more?: number;
    readonly run?: string;
    readonly leave_out: readonly { tool: string; reason: string }[];
  }[];
  readonly more?: number;
  readonly remove: readonly { id: string; name: string }[];
  readonly writes: readonly string[];
  readonly not_chosen: number;
  readonly applied: boolean;
}

async function plan(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Plan>('bridge_plan', args);
  if (values.json) {
    terminal.print(JSON.stringify(done, null, 2));
    return exit.done;
  }
  for (const { name, chosen, expose, more, run, leave_out } of done.workflows) {
    terminal.print(`${firstLine(name)} (chosen by ${chosen === 'asked' ? 'name' : chosen})`);
    if (run !== undefined) terminal.print(`  + ${run}`);
    for (const tool of expose) terminal.print(`  + ${tool}`);
    if (more !== undefined) terminal.print(`  + ${more} more`);
    for (const { tool, reason } of leave_out) terminal.print(`  - ${tool}: ${firstLine(reason)}`);
  }
  for (const { id, name } of done.remove) terminal.print(`Removed from n8n: ${firstLine(name)} (${id})`);
  if (done.writes.length > 0) terminal.say(done.applied ? 'Written to n8n:' : 'Would be written to n8n:');
  for (const line of done.writes) terminal.say(`  ${line}`);
  if (done.more !== undefined) terminal.say(`And ${done.more} more workflows: --json, or \`sluice bridge status\`.`);
  if (done.workflows.length === 0) terminal.say(nothingChosen(done.not_chosen));
  else if (done.applied) terminal.say('It was agreed to before: n8n is kept in step without asking.');
  else if (done.writes.length > 0)
    terminal.say(`Nothing was written yet. \`sluice bridge apply${quoted(args.workflows)}\` does it.`);
  else terminal.say('Nothing has to be written to n8n for it.');
  return exit.done;
}

const quoted = (words: unknown): string =>
  Array.isArray(words) ? words.map((word) => ` '${String(word).replaceAll("'", `'\\''`)}'`).join('') : '';

const nothingChosen = (others: number): string =>
  others === 0
    ? 'No workflow has AI tools, or can be run as a tool.'
    : `${others} workflow${others === 1 ? '' : 's'} could be bridged, and none is chosen. Tag one "mcp" in n8n, or name it: sluice bridge plan 'My agent'.`;

interface Applied {
  readonly instances: readonly { instance: string; generated: number; problem?: string }[];
  readonly tools: readonly string[];
  readonly more?: number;
  readonly broken: readonly { tool: string; reason: string }[];
}

async function apply(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Applied>('bridge_apply', args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    for (const tool of done.tools) terminal.print(tool);
    if (done.more !== undefined) terminal.say(`And ${done.more} more: \`sluice tools\` lists all.`);
    for (const { instance, generated } of done.instances)
      terminal.say(`${instance}: ${counted(generated, 'generated workflow')}.`);
    if (done.tools.length === 0) terminal.say('No tool is listed: `sluice bridge status` says why.');
  }
  for (const { tool, reason } of done.broken) terminal.say(`Not ready: ${tool}: ${firstLine(reason)}`);
  const problems = done.instances.flatMap(({ instance, problem }) =>
    problem === undefined ? [] : [`${instance}: ${problem}`],
  );
  for (const problem of problems) terminal.say(firstLine(problem));
  return problems.length > 0 ? exit.failed : exit.done;
}

interface Removed {
  readonly removed: readonly { id: string; name: string }[];
  readonly more?: number;
  readonly credentials: number;
  readonly left?: number;
}

async function remove(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<Removed>('bridge_cleanup', args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    for (const { id, name } of done.removed) terminal.print(`${id}  ${firstLine(name)}`);
    const count = done.removed.length + (done.more ?? 0);
    terminal.say(`Removed ${counted(count, 'generated workflow')} and ${counted(done.credentials, 'credential')}.`);
  }
  if (done.left !== undefined) terminal.say(`${done.left} are of another Sluice: --others removes them too.`);
  return exit.done;
}

interface Status {
  readonly instances: readonly {
    instance: string;
    applied: boolean;
    problem?: string;
    listed: number;
    broken: number;
    generated: { count: number };
    others?: number;
  }[];
  readonly workflows: readonly {
    name: string;
    instance: string;
    chosen?: string;
    run?: string;
    run_reason?: string;
    could_run?: string;
    could?: number;
    more_tools?: number;
    tools?: readonly { tool: string; state: string; reason?: string }[];
  }[];
  readonly file?: { state: string; file: string; reason?: string; workflows?: number; tools?: number };
  readonly cursor?: string;
  readonly note?: string;
}

async function status(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const pages: Status[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.cursor)
    pages.push(await call<Status>('bridge_status', { ...args, ...(cursor !== undefined && { cursor }) }));
  const { instances, note, file } = pages[0] as Status;
  const workflows = pages.flatMap((page) => page.workflows);
  if (values.json) {
    terminal.print(JSON.stringify({ instances, workflows, ...(file && { file }) }, null, 2));
    return exit.done;
  }
  const rows = workflows.flatMap(
    ({ name, chosen = '-', run, run_reason, could_run, could, more_tools, tools = [] }) => [
      ...(run !== undefined || run_reason !== undefined
        ? [[firstLine(name), chosen, run ?? '-', run === undefined ? 'no' : 'listed', firstLine(run_reason ?? '')]]
        : []),
      ...tools.map(({ tool, state, reason }) => [firstLine(name), chosen, tool, state, firstLine(reason ?? '')]),
      ...(more_tools === undefined ? [] : [[firstLine(name), chosen, `${more_tools} more`, 'listed', '']]),
      ...(could_run === undefined ? [] : [[firstLine(name), chosen, could_run, 'not chosen', '']]),
      ...(could === undefined ? [] : [[firstLine(name), chosen, `${could} AI tools`, 'not chosen', '']]),
    ],
  );
  if (rows.length > 0)
    terminal.print(table([['WORKFLOW', 'CHOSEN', 'TOOL', 'STATE', 'WHY'], ...rows], terminal.width).join('\n'));
  for (const one of instances) {
    const others = one.others === undefined ? '' : `, ${one.others} of another Sluice`;
    terminal.say(
      `${one.instance}: ${one.listed} listed, ${one.broken} broken, ${counted(one.generated.count, 'generated workflow')}${others}.`,
    );
    if (one.problem !== undefined) terminal.say(`  ${firstLine(one.problem)}`);
  }
  if (file) {
    const said = {
      absent: 'is not there',
      read: `tells of ${file.tools} tools`,
      rejected: `makes no sense: ${file.reason}`,
    };
    terminal.say(`The shared file ${file.file} ${said[file.state as keyof typeof said]}.`);
  }
  if (note !== undefined) terminal.say(note);
  return exit.done;
}
