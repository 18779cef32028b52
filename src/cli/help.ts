import type { CommandOption, Options, Verb, Verbs } from '../kernel/command.ts';

/** `sluice --help`. */
export function overview(commands: ReadonlyMap<string, { readonly summary: string }>): string {
  const shown = [...commands].filter(([words]) => !words.includes(' '));
  return [
    'Sluice: many MCP servers and n8n as one MCP server.',
    '',
    'Usage: sluice <command> [options]',
    '',
    ...columns(shown.map(([name, { summary }]) => [name, summary])),
    '',
    '`sluice <command> --help` shows its options and an example.',
  ].join('\n');
}

/** `sluice export --help`, `sluice keys create --help`. */
export function actionHelp(words: string, { summary, usage, example, options = {} }: Verb): string {
  return page(summary, [`Usage: ${`sluice ${words} ${usage}`.trimEnd()}`], flagRows(options), example);
}

/** `sluice keys --help`: all verbs on one page. */
export function verbsHelp(name: string, summary: string, { verbs, example }: Verbs): string {
  const usages = Object.entries(verbs).flatMap(([verb, { usage, summary: does }]) => [
    `  ${`sluice ${name} ${verb} ${usage}`.trimEnd()}`,
    `      ${does}`,
  ]);
  return page(summary, ['Usage:', ...usages], sharedRows(verbs), example);
}

function page(summary: string, usage: readonly string[], flags: readonly Row[], example: string): string {
  return [
    summary,
    '',
    ...usage,
    ...(flags.length > 0 ? ['', 'Options:', ...columns(flags)] : []),
    '',
    `Example: ${example}`,
  ].join('\n');
}

type Row = readonly [left: string, right: string];

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

const flagRows = (options: Options): Row[] =>
  Object.entries(options).map(([name, option]) => [flagOf(name, option), option.describe]);

const flagOf = (name: string, { type, short }: CommandOption): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ' …' : ''}`;

/** The options of all verbs. Those that only some verbs have say which. */
function sharedRows(verbs: Readonly<Record<string, Verb>>): Row[] {
  const all = Object.entries(verbs);
  const rows = new Map<string, { flag: string; describe: string; verbs: string[] }>();
  for (const [verb, { options = {} }] of all) {
    for (const [name, option] of Object.entries(options)) {
      const key = `${name} ${option.describe}`;
      const row = rows.get(key) ?? { flag: flagOf(name, option), describe: option.describe, verbs: [] };
      row.verbs.push(verb);
      rows.set(key, row);
    }
  }
  return [...rows.values()].map(({ flag, describe, verbs: of }) => [
    flag,
    of.length === all.length ? describe : `${of.join(', ')}: ${describe}`,
  ]);
}
