import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import type { Catalogue } from '../src/nodes/catalogue.ts';
import { validateWorkflow } from '../src/validation/validate.ts';
import type { StdioServer } from './stdio-client.ts';

/** A public workflow as the peer's package carries it. They are read where they lie and kept nowhere. */
export interface Template {
  readonly id: number;
  readonly name: string;
  readonly workflow: { readonly nodes: readonly TemplateNode[] };
  /** Its nodes have lost their parameters on the way into the package: nothing of it could run. */
  readonly stripped: boolean;
}

export interface TemplateNode {
  readonly type: string;
  readonly parameters?: object;
}

/** The most viewed first. */
export function readTemplates(peerProgram: string): Template[] {
  const file = join(dirname(peerProgram), '..', '..', 'data', 'nodes.db');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare('SELECT id, name, workflow_json_compressed AS packed FROM templates ORDER BY views DESC, id')
      .all() as { id: number; name: string; packed: string }[];
    return rows.map(({ id, name, packed }) => {
      const text = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
      const workflow = JSON.parse(text) as Template['workflow'];
      return { id, name, workflow, stripped: isStripped(workflow.nodes) };
    });
  } finally {
    database.close();
  }
}

/** Notes kept theirs. */
function isStripped(nodes: readonly TemplateNode[]): boolean {
  return nodes.every(
    ({ type, parameters }) => type.endsWith('.stickyNote') || Object.keys(parameters ?? {}).length === 0,
  );
}

export interface TemplateFigures {
  readonly groups: readonly TemplateGroup[];
  /** By rule: in how many templates it finds an error. */
  readonly causes: readonly { readonly rule: string; readonly templates: number; readonly stripped: number }[];
}

export interface TemplateGroup {
  readonly what: string;
  readonly templates: number;
  /** How many of them are said to have an error. */
  readonly ours: number;
  readonly peer: number;
}

/** How many are called broken by each side. */
export async function judgeTemplates(
  templates: readonly Template[],
  catalogue: Catalogue,
  peer: StdioServer,
  say: (line: string) => void,
): Promise<TemplateFigures> {
  const verdicts: { stripped: boolean; rules: Set<string>; peer: boolean }[] = [];
  for (const [index, { workflow, stripped }] of templates.entries()) {
    const { findings } = validateWorkflow(workflow, catalogue);
    const rules = new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule));
    const { valid } = JSON.parse(await peer.call('validate_workflow', { workflow })) as { valid: boolean };
    verdicts.push({ stripped, rules, peer: !valid });
    if (index % 100 === 99) say(`validation: ${index + 1} of ${templates.length} templates`);
  }
  const group = (what: string, of: typeof verdicts): TemplateGroup => ({
    what,
    templates: of.length,
    ours: of.filter(({ rules }) => rules.size > 0).length,
    peer: of.filter((verdict) => verdict.peer).length,
  });
  const whole = verdicts.filter(({ stripped }) => !stripped);
  const first = verdicts.slice(0, 300);
  const every = [...new Set(verdicts.flatMap(({ rules }) => [...rules]))];
  return {
    groups: [
      group('all', verdicts),
      group('all but the stripped ones', whole),
      group('the 300 most viewed', first),
      group(
        'of these, all but the stripped ones',
        first.filter(({ stripped }) => !stripped),
      ),
    ],
    causes: every
      .map((rule) => ({
        rule,
        templates: whole.filter(({ rules }) => rules.has(rule)).length,
        stripped: verdicts.filter(({ stripped, rules }) => stripped && rules.has(rule)).length,
      }))
      .sort((a, b) => b.templates - a.templates || a.rule.localeCompare(b.rule)),
  };
}

export function templateTable({ groups, causes }: TemplateFigures, peer: string): string {
  const share = (part: number, of: number) => `${part} (${((100 * part) / of).toFixed(1)} %)`;
  return [
    `| templates | number | errors by Sluice | errors by ${peer} | Sluice to it |`,
    '| --- | --: | --: | --: | --: |',
    ...groups.map(
      ({ what, templates, ours, peer: theirs }) =>
        `| ${what} | ${templates} | ${share(ours, templates)} | ${share(theirs, templates)} | ${(ours / theirs).toFixed(2)} |`,
    ),
    '',
    '| rule | templates with such an error | and stripped ones |',
    '| --- | --: | --: |',
    ...causes.map(({ rule, templates, stripped }) => `| \`${rule}\` | ${templates} | ${stripped} |`),
  ].join('\n');
}
