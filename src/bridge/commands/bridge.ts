import { exit } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine, table } from '../../cli/table.ts';
import { configWithoutGateway, given, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Values, Verbs } from '../../kernel/command.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { callN8n } from '../../n8n/commands/call-n8n.ts';
import type { bridgeApply } from '../tools/bridge-apply.ts';
import type { bridgeCleanup } from '../tools/bridge-cleanup.ts';
import type { bridgePlan } from '../tools/bridge-plan.ts';
import type { bridgeStatus } from '../tools/bridge-status.ts';

const MOST_WORKFLOWS = 100;

const shared = {
  instance: { type: 'string', describe: 'Which n8n, by its name in the configuration (all that are bridged)' },
  config: configWithoutGateway,
  json: jsonOption,
} as const;

/** n8n's AI tools and workflows as MCP tools. */
export function bridgeCommand(place: Place): Verbs {
  const { terminal } = place;

  /** Runs a verb with a gateway to call. */
  async function withBridge(values: Values, work: (call: Call, where: Json) => Promise<number>): Promise<number> {
    const signal = untilCancelled();
    const file = textIn(values, 'config');
    await using client = await reach(place, { tool: 'bridge_status', signal, ...given('file', file) });
    const call: Call = (tool, args) =>
      callN8n(client, tool, args, {
        signal,
        // Typing `remove` is the decision; the question is for models.
        onAsk: async () => ({ result: { action: 'accept', content: {} } }),
        onProgress: ({ progress, total, message }) =>
          terminal.progress(
            `${String(progress)} of ${String(total)} workflows: ${firstLine(typeof message === 'string' ? message : '')}`,
          ),
      });
    return await work(call, given('instance', textIn(values, 'instance')));
  }

  const which = (words: readonly string[]): Json => (words.length > 0 ? { workflows: words } : {});

  return {
    example: "sluice bridge apply 'My agent'",
    verbs: {
      plan: {
        summary: 'Shows what apply would do; changes nothing',
        usage: '[WORKFLOW …]',
        example: "sluice bridge plan 'My agent'",
        positionals: [0, MOST_WORKFLOWS],
        options: shared,
        run: ({ values, positionals }) =>
          withBridge(values, (call, where) => plan(call, { ...where, ...which(positionals) }, values, terminal)),
      },
      apply: {
        summary: 'Turns the chosen workflows into tools, and generates what that needs in n8n',
        usage: '[WORKFLOW …]',
        example: "sluice bridge apply 'My agent'",
        positionals: [0, MOST_WORKFLOWS],
        options: shared,
        run: ({ values, positionals }) =>
          withBridge(values, (call, where) => apply(call, { ...where, ...which(positionals) }, values, terminal)),
      },
      remove: {
        summary: 'Removes from n8n what apply generated',
        usage: '[WORKFLOW …] [--others]',
        example: 'sluice bridge remove',
        positionals: [0, MOST_WORKFLOWS],
        options: {
          others: { type: 'boolean', describe: 'Also what another Sluice left in that n8n' },
          ...shared,
        },
        run({ values, positionals }) {
          const others = values.others === true ? { others: true } : {};
          return withBridge(values, (call, where) =>
            remove(call, { ...where, ...which(positionals), ...others }, values, terminal),
          );
        },
      },
      status: {
        summary: 'Shows which workflows are tools, which could be, and what is wrong',
        usage: '[WORKFLOW]',
        example: 'sluice bridge status',
        positionals: [0, 1],
        options: shared,
        run: ({ values, positionals: [workflow] }) =>
          withBridge(values, (call, where) =>
            status(call, { ...where, ...given('workflow', workflow) }, values, terminal),
          ),
      },
    },
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

type Call = <T>(tool: string, args: Json) => Promise<T>;

async function plan(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof bridgePlan>>('bridge_plan', args);
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
  else if (done.applied) terminal.say('You have agreed to this before: Sluice keeps n8n in step without asking.');
  else if (done.writes.length > 0)
    terminal.say(`Nothing was written yet. \`sluice bridge apply${quoted(args.workflows)}\` does it.`);
  else terminal.say('Nothing has to be written to n8n.');
  return exit.done;
}

const quoted = (words: unknown): string =>
  Array.isArray(words) ? words.map((word) => ` '${String(word).replaceAll("'", `'\\''`)}'`).join('') : '';

const nothingChosen = (others: number): string =>
  others === 0
    ? 'No workflow has AI tools or can run as a tool.'
    : `${others} workflow${others === 1 ? '' : 's'} could be bridged, but none is chosen. Tag one "mcp" in n8n, or name it: sluice bridge plan 'My agent'.`;

async function apply(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof bridgeApply>>('bridge_apply', args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    for (const tool of done.tools) terminal.print(tool);
    if (done.more !== undefined) terminal.say(`And ${done.more} more: \`sluice tools\` lists all.`);
    for (const { instance, generated } of done.instances)
      terminal.say(`${instance}: ${counted(generated, 'generated workflow')}.`);
    if (done.tools.length === 0) terminal.say('No tools are listed: `sluice bridge status` says why.');
  }
  for (const { tool, reason } of done.broken) terminal.say(`Not ready: ${tool}: ${firstLine(reason)}`);
  const problems = done.instances.flatMap(({ instance, problem }) =>
    problem === undefined ? [] : [`${instance}: ${problem}`],
  );
  for (const problem of problems) terminal.say(firstLine(problem));
  return problems.length > 0 ? exit.failed : exit.done;
}

async function remove(call: Call, args: Json, values: Values, terminal: Terminal): Promise<number> {
  const done = await call<OutputOf<typeof bridgeCleanup>>('bridge_cleanup', args);
  if (values.json) terminal.print(JSON.stringify(done, null, 2));
  else {
    for (const { id, name } of done.removed) terminal.print(`${id}  ${firstLine(name)}`);
    const count = done.removed.length + (done.more ?? 0);
    terminal.say(`Removed ${counted(count, 'generated workflow')} and ${counted(done.credentials, 'credential')}.`);
  }
  if (done.left !== undefined) terminal.say(`${done.left} belong to another Sluice: --others removes them too.`);
  return exit.done;
}

type Status = OutputOf<typeof bridgeStatus>;

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
      absent: 'does not exist',
      read: `lists ${file.tools} tools`,
      rejected: `cannot be used: ${file.reason}`,
    };
    terminal.say(`The shared file ${file.file} ${said[file.state]}.`);
  }
  if (note !== undefined) terminal.say(note);
  return exit.done;
}
