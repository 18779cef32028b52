/** `npm run docs`: writes the table of the validator's rules into docs/validation.md, from the rules themselves. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { purposes } from '../src/validation/finding.ts';
import { type Rule, ruleGroups } from '../src/validation/rule.ts';
import { rules } from '../src/validation/rules/index.ts';

export const rulesFile = fileURLToPath(new URL('../docs/validation.md', import.meta.url));

const [BEGIN, END] = ['<!-- rules: made by npm run docs -->', '<!-- end of rules -->'];

/** The page with an up-to-date table. */
export function withRules(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/validation.md needs a line ${BEGIN} and after it ${END}.`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${ruleTables()}\n\n${page.slice(to)}`;
}

function ruleTables(): string {
  return ruleGroups
    .map((group) => ({ group, of: rules.filter((rule) => rule.group === group) }))
    .filter(({ of }) => of.length > 0)
    .map(({ group, of }) => [`### ${group[0]?.toUpperCase()}${group.slice(1)}`, '', ...head, ...of.map(row)].join('\n'))
    .join('\n\n');
}

const head = ['| rule | save | run | publish | what the rule requires |', '| --- | --- | --- | --- | --- |'];

function row({ id, severity, title }: Rule): string {
  const each = purposes.map((purpose) => (typeof severity === 'string' ? severity : (severity[purpose] ?? '–')));
  return `| \`${id}\` | ${each.join(' | ')} | ${title.replaceAll('|', '\\|')} |`;
}

if (import.meta.main) {
  await writeFile(rulesFile, withRules(await readFile(rulesFile, 'utf8')));
  console.log('Written: docs/validation.md');
}
