import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import type { Catalogue } from '../src/nodes/catalogue.ts';
import { validateWorkflow } from '../src/validation/validate.ts';
import type { StdioServer } from './stdio-client.ts';

/** A public workflow from the peer's package. Read in place, never stored. */
export interface Template {
  readonly id: number;
  readonly name: string;
  readonly workflow: { readonly nodes: readonly TemplateNode[] };
  /** Its nodes lost their parameters on the way into the package, so nothing of it could run. */
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

/** Notes kept their parameters. */
function isStripped(nodes: readonly TemplateNode[]): boolean {
  return nodes.every(
    ({ type, parameters }) => type.endsWith('.stickyNote') || Object.keys(parameters ?? {}).length === 0,
  );
}

export interface TemplateFigures {
  readonly groups: readonly TemplateGroup[];
  /** By rule: the number of templates with an error. */
  readonly causes: readonly Cause[];
  /** The number of the 300 most viewed that get a warning. */
  readonly warnings: readonly Cause[];
}

export interface Cause {
  readonly rule: string;
  readonly templates: number;
  readonly stripped: number;
}

export interface TemplateGroup {
  readonly what: string;
  readonly templates: number;
  /** How many of them get an error. */
  readonly ours: number;
  readonly peer: number;
  /** How many get a warning. Missing credentials do not count: no template includes any. */
  readonly oursWarned: number;
  readonly peerWarned: number;
}

const FIRST = 300;
export const MOST_VIEWED = `the ${FIRST} most viewed`;
const credentials = new Set(['missing-credential', 'credential-without-id']);

interface Verdict {
  readonly stripped: boolean;
  readonly errors: ReadonlySet<string>;
  readonly warnings: ReadonlySet<string>;
  readonly peer: boolean;
  readonly peerWarned: boolean;
}

/** How many templates each side calls broken, and how many it warns about. */
export async function judgeTemplates(
  templates: readonly Template[],
  catalogue: Catalogue,
  peer: StdioServer,
  say: (line: string) => void,
): Promise<TemplateFigures> {
  const verdicts: Verdict[] = [];
  for (const [index, { workflow, stripped }] of templates.entries()) {
    const { findings } = validateWorkflow(workflow, catalogue);
    const rulesOf = (wanted: string) =>
      new Set(findings.filter(({ severity }) => severity === wanted).map(({ rule }) => rule));
    const warnings = rulesOf('warning');
    for (const rule of credentials) warnings.delete(rule);
    const answer = JSON.parse(await peer.call('validate_workflow', { workflow })) as PeerAnswer;
    verdicts.push({
      stripped,
      errors: rulesOf('error'),
      warnings,
      peer: !answer.valid,
      peerWarned: (answer.warnings ?? []).some(({ message = '' }) => !/credential/i.test(message)),
    });
    if (index % 100 === 99) say(`validation: ${index + 1} of ${templates.length} templates`);
  }
  const group = (what: string, of: typeof verdicts): TemplateGroup => ({
    what,
    templates: of.length,
    ours: of.filter(({ errors }) => errors.size > 0).length,
    peer: of.filter((verdict) => verdict.peer).length,
    oursWarned: of.filter(({ warnings }) => warnings.size > 0).length,
    peerWarned: of.filter((verdict) => verdict.peerWarned).length,
  });
  const whole = verdicts.filter(({ stripped }) => !stripped);
  const first = verdicts.slice(0, FIRST);
  return {
    groups: [
      group('all', verdicts),
      group('all but the stripped ones', whole),
      group(MOST_VIEWED, first),
      group(
        'of these, all but the stripped ones',
        first.filter(({ stripped }) => !stripped),
      ),
    ],
    causes: causesIn(verdicts, ({ errors }) => errors),
    warnings: causesIn(first, ({ warnings }) => warnings),
  };
}

interface PeerAnswer {
  readonly valid: boolean;
  readonly warnings?: readonly { readonly message?: string }[];
}

function causesIn(verdicts: readonly Verdict[], rulesOf: (verdict: Verdict) => ReadonlySet<string>): Cause[] {
  const every = [...new Set(verdicts.flatMap((verdict) => [...rulesOf(verdict)]))];
  const count = (rule: string, wanted: boolean) =>
    verdicts.filter((verdict) => verdict.stripped === wanted && rulesOf(verdict).has(rule)).length;
  return every
    .map((rule) => ({ rule, templates: count(rule, false), stripped: count(rule, true) }))
    .sort((a, b) => b.templates - a.templates || a.rule.localeCompare(b.rule));
}

export function templateTable({ groups, causes, warnings }: TemplateFigures, peer: string): string {
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
    ...causes.map(causeLine),
    '',
    `| templates | number | warnings by Sluice | warnings by ${peer} |`,
    '| --- | --: | --: | --: |',
    ...groups.map(
      ({ what, templates, oursWarned, peerWarned }) =>
        `| ${what} | ${templates} | ${share(oursWarned, templates)} | ${share(peerWarned, templates)} |`,
    ),
    '',
    `| rule | of ${MOST_VIEWED} with such a warning | and stripped ones |`,
    '| --- | --: | --: |',
    ...warnings.map(causeLine),
  ].join('\n');
}

function causeLine({ rule, templates, stripped }: Cause): string {
  return `| \`${rule}\` | ${templates} | ${stripped} |`;
}
