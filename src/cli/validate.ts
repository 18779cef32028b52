import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { N8nClient } from '../n8n/client/client.ts';
import type { Sources } from '../nodes/sources/sources.ts';
import { defaultInstance } from '../nodes/which-n8n.ts';
import { purposes } from '../validation/finding.ts';
import type { RuleSwitches } from '../validation/validate.ts';
import { exit, UsageError } from './frame.ts';
import type { Judged, Judgement } from './judged-file.ts';
import { ruleSwitches } from './rule-switches.ts';
import type { Terminal } from '../host/terminal.ts';
import { wantedCatalogue } from './wanted-catalogue.ts';

interface Opened {
  readonly pinned: string;
  readonly instances: readonly string[];
  readonly sources: Sources;
  /** As the configuration switches them. */
  readonly rules: RuleSwitches;
  client(name: string | undefined): N8nClient;
}

export interface ValidateCommandDeps {
  readonly home: string;
  readonly cache: string;
  readonly cwd: string;
  readonly version: string;
  open(config: string | undefined): Promise<Opened>;
}

type Values = Record<string, string | boolean | undefined>;

const formats = ['text', 'json', 'sarif'] as const;

/** Workflows in files, or those of an n8n, judged by the validator. */
export function validateCommand(deps: ValidateCommandDeps, terminal: Terminal): Command {
  const { home, cache, cwd } = deps;

  async function files(names: readonly string[], values: Values): Promise<readonly Judged[]> {
    const opened = await deps.open(text(values.config));
    const { workflowFiles } = await import('./workflow-files.ts');
    const found = await workflowFiles(names, cwd, terminal.input);
    const { judgeFile } = await import('./judged-file.ts');
    const judgement = await judgementFor(values, opened, () => catalogueForFiles(opened, text(values.version)));
    const [fix, write] = [values.fix === true || values.write === true, values.write === true];
    const also = await alsoIn(values);
    const texts = new Map<string, string>();
    const judged: Judged[] = [];
    for (const one of found) {
      const before = texts.get(one.file) ?? one.text;
      const { judged: said, text: now } = judgeFile({ ...one, text: before }, { ...judgement, also }, fix);
      if (now !== before) texts.set(one.file, now);
      judged.push(said);
    }
    if (write) {
      for (const [file, now] of texts) if (file !== 'stdin') await writeFile(resolve(cwd, file), now);
      const piped = found.find(({ file }) => file === 'stdin');
      // A filter: what came in goes out, mended.
      if (piped) terminal.print((texts.get('stdin') ?? piped.text).trimEnd());
    }
    return judged;
  }

  /** As the connected n8n has them, where there is one; what cannot be reached is not needed to read a file. */
  async function catalogueForFiles({ pinned, sources, instances }: Opened, n8n: string | undefined) {
    const places = { home, cache, pinned, sources };
    if (n8n !== undefined) return wantedCatalogue(places, { n8n }, terminal);
    const instance = defaultInstance(instances);
    try {
      return await wantedCatalogue(places, { instance }, terminal);
    } catch (error) {
      if (instance === undefined || !(error instanceof AppError) || error.code === 'cancelled') throw error;
      terminal.say(`The nodes of n8n (${instance}) are not known: ${error.message} Those of n8n ${pinned} are used.`);
      return wantedCatalogue(places, {}, terminal);
    }
  }

  async function instance(name: string | undefined, values: Values): Promise<readonly Judged[]> {
    const opened = await deps.open(text(values.config));
    const client = opened.client(name);
    const places = { home, cache, pinned: opened.pinned, sources: opened.sources };
    const judgement = await judgementFor(values, opened, () =>
      wantedCatalogue(places, { instance: client.name }, terminal),
    );
    const { judgedInstance } = await import('./judged-instance.ts');
    return judgedInstance(client, { ...judgement, purpose: purposeIn(values) }, terminal);
  }

  return {
    name: 'validate',
    summary: 'Checks workflows, in files or in n8n',
    usage:
      'sluice validate FILE… | --instance [NAME] [--purpose save|run|publish] [--format text|json|sarif] [--rule ID=SEVERITY] [--fix [--also RULE] [--write]]',
    example: 'sluice validate workflows/*.json --purpose publish',
    positionals: [0, 100_000],
    options: {
      instance: { type: 'boolean', describe: 'Every workflow of an n8n: the one named after it, else the default one' },
      purpose: { type: 'string', describe: 'What they are to be good for: save, run (the default) or publish' },
      format: { type: 'string', describe: 'text, json or sarif' },
      json: { type: 'boolean', describe: 'The same as --format json' },
      rule: {
        type: 'string',
        repeats: true,
        describe: 'ID=off|error|warning|info: switches a rule or a group; may be given several times',
      },
      fix: { type: 'boolean', describe: 'Show what safe fixes change, and check the result' },
      also: {
        type: 'string',
        repeats: true,
        describe: 'With --fix: a rule whose likely fixes are wanted, too; may be given several times',
      },
      write: { type: 'boolean', describe: 'With --fix: write it to the files; of stdin, to stdout' },
      version: { type: 'string', describe: 'The version of n8n whose nodes count, whatever is connected' },
      config: { type: 'string', short: 'c', describe: 'The configuration file' },
    },
    async run({ values, positionals }) {
      const format = formatIn(values);
      const wants = values.instance === true;
      purposeIn(values);
      if (!wants && positionals.length === 0) throw new UsageError('name files, - for stdin, or say --instance');
      if (wants && positionals.length > 1) throw new UsageError('--instance takes one name at most');
      if (values.also !== undefined && !values.fix && !values.write) throw new UsageError('--also goes with --fix');
      if (wants && (values.fix || values.write)) {
        throw new UsageError('--fix is for files; for one in n8n: sluice call n8n_fix_workflow \'{"id": "…"}\'');
      }
      const judged = wants ? await instance(positionals[0], values) : await files(positionals, values);
      const piped = values.write === true && positionals.includes('-');
      const tell = piped ? terminal.say : terminal.print;
      const fix = values.fix === true || values.write === true;
      const { judgedData, judgedLines, summaryLine } = await import('./judged-lines.ts');
      if (format === 'sarif') {
        const [{ sarifOf }, { rules }] = await Promise.all([
          import('../validation/sarif.ts'),
          import('../validation/rules/index.ts'),
        ]);
        const told = judged.map(({ uri, report, region }) => ({ uri, findings: report.findings, region }));
        tell(JSON.stringify(sarifOf(told, rules, deps.version), null, 2));
      } else if (format === 'json') {
        const data = judged.map((one) => judgedData(one, fix));
        tell(JSON.stringify(!wants && data.length === 1 ? data[0] : data, null, 2));
      } else {
        const lines = judged.flatMap((one) => judgedLines(one, terminal.paint));
        if (lines.length > 0) tell(lines.join('\n').trimEnd());
        terminal.say(summaryLine(judged, wants ? 'workflow' : 'file'));
      }
      return judged.every(({ report }) => report.valid) ? exit.done : exit.failed;
    },
  };
}

const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);

async function judgementFor(
  values: Values,
  { rules }: Opened,
  catalogue: () => Promise<Judgement['catalogue']>,
): Promise<Judgement> {
  const switched = { ...rules, ...(await ruleSwitches(text(values.rule))) };
  return { purpose: purposeIn(values) ?? 'run', rules: switched, catalogue: await catalogue() };
}

async function alsoIn({ also }: Values): Promise<readonly string[]> {
  const wanted = (text(also) ?? '').split(',').flatMap((one) => one.trim() || []);
  const { unknownRule } = await import('../validation/known-rules.ts');
  const unknown = unknownRule(wanted);
  if (unknown !== undefined) throw new UsageError(`--also: ${unknown}`);
  return wanted;
}

function purposeIn({ purpose }: Values) {
  const known = purposes.find((one) => one === purpose);
  if (purpose !== undefined && !known)
    throw new UsageError(`--purpose is save, run or publish, not ${String(purpose)}`);
  return known;
}

function formatIn({ format, json }: Values): (typeof formats)[number] {
  const known = formats.find((one) => one === format);
  if (format !== undefined && !known) throw new UsageError(`--format is text, json or sarif, not ${String(format)}`);
  if (json === true && known !== undefined && known !== 'json')
    throw new UsageError('say --json or --format, not both');
  return known ?? (json === true ? 'json' : 'text');
}
