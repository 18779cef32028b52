import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { choiceIn, configOption, textIn } from '../../cli/values.ts';
import type { Action, Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { defaultInstance } from '../../nodes/which-n8n.ts';
import { purposes } from '../../validation/finding.ts';
import { type CatalogueSources, type N8nPlace, openSources } from './catalogue-sources.ts';
import type { Judged, Judgement } from './judged-file.ts';
import { ruleSwitches } from './rule-switches.ts';
import { wantedCatalogue } from './wanted-catalogue.ts';

const formats = ['text', 'json', 'sarif'] as const;

/** Workflows in files, or those of an n8n, judged by the validator. */
export function validateCommand(place: N8nPlace): Action {
  const { cwd, terminal, version } = place;

  async function files(names: readonly string[], values: Values): Promise<readonly Judged[]> {
    const opened = await openSources(place, textIn(values, 'config'));
    const { workflowFiles } = await import('./workflow-files.ts');
    const found = await workflowFiles(names, cwd, terminal.input);
    const { judgeFile } = await import('./judged-file.ts');
    const judgement = await judgementFor(values, opened, () => catalogueForFiles(opened, textIn(values, 'version')));
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
      // Like a filter: stdin goes out fixed.
      if (piped) terminal.print((texts.get('stdin') ?? piped.text).trimEnd());
    }
    return judged;
  }

  /** The nodes of the connected n8n. If it cannot be reached, those of the pinned version do. */
  async function catalogueForFiles(opened: CatalogueSources, n8n: string | undefined) {
    const { pinned, instances } = opened;
    if (n8n !== undefined) return wantedCatalogue(opened, { n8n }, terminal);
    const instance = defaultInstance(instances);
    try {
      return await wantedCatalogue(opened, { instance }, terminal);
    } catch (error) {
      if (instance === undefined || !(error instanceof AppError) || error.code === 'cancelled') throw error;
      terminal.say(`The nodes of n8n (${instance}) are not known: ${error.message} Using those of n8n ${pinned}.`);
      return wantedCatalogue(opened, {}, terminal);
    }
  }

  async function instance(name: string | undefined, values: Values): Promise<readonly Judged[]> {
    const opened = await openSources(place, textIn(values, 'config'));
    const client = opened.client(name);
    const judgement = await judgementFor(values, opened, () =>
      wantedCatalogue(opened, { instance: client.name }, terminal),
    );
    const { judgedInstance } = await import('./judged-instance.ts');
    return judgedInstance(client, { ...judgement, purpose: purposeIn(values) }, terminal);
  }

  return {
    usage:
      'FILE… | --instance [NAME] [--purpose save|run|publish] [--format text|json|sarif] [--rule ID=SEVERITY] [--fix [--also RULE] [--write]]',
    example: 'sluice validate workflows/*.json --purpose publish',
    positionals: [0, 100_000],
    options: {
      instance: { type: 'boolean', describe: 'Check every workflow of an n8n: the named one, else the default one' },
      purpose: { type: 'string', describe: 'What the workflows must be fit for: save, run (the default) or publish' },
      format: { type: 'string', describe: 'text, json or sarif' },
      json: { type: 'boolean', describe: 'Same as --format json' },
      rule: {
        type: 'string',
        repeats: true,
        describe: 'ID=off|error|warning|info: switches a rule or a group; may be given several times',
      },
      fix: { type: 'boolean', describe: 'Show what safe fixes change, and check the result' },
      also: {
        type: 'string',
        repeats: true,
        describe: 'With --fix: also apply the likely fixes of this rule; may be given several times',
      },
      write: { type: 'boolean', describe: 'With --fix: write the fixes to the files; stdin goes to stdout' },
      version: { type: 'string', describe: 'Check against the nodes of this version of n8n, whatever is connected' },
      config: configOption,
    },
    async run({ values, positionals }) {
      const format = formatIn(values);
      const wants = values.instance === true;
      purposeIn(values);
      if (!wants && positionals.length === 0) throw new UsageError('name files, or - for stdin, or use --instance');
      if (wants && positionals.length > 1) throw new UsageError('--instance takes one name at most');
      if (values.also !== undefined && !values.fix && !values.write) throw new UsageError('--also needs --fix');
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
          import('../../validation/sarif.ts'),
          import('../../validation/rules/index.ts'),
        ]);
        const told = judged.map(({ uri, report, region }) => ({ uri, findings: report.findings, region }));
        tell(JSON.stringify(sarifOf(told, rules, version), null, 2));
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

async function judgementFor(
  values: Values,
  { rules }: CatalogueSources,
  catalogue: () => Promise<Judgement['catalogue']>,
): Promise<Judgement> {
  const switched = { ...rules, ...(await ruleSwitches(textIn(values, 'rule'))) };
  return { purpose: purposeIn(values) ?? 'run', rules: switched, catalogue: await catalogue() };
}

async function alsoIn(values: Values): Promise<readonly string[]> {
  const wanted = (textIn(values, 'also') ?? '').split(',').flatMap((one) => one.trim() || []);
  const { unknownRule } = await import('../../validation/known-rules.ts');
  const unknown = unknownRule(wanted);
  if (unknown !== undefined) throw new UsageError(`--also: ${unknown}`);
  return wanted;
}

const purposeIn = (values: Values) => choiceIn(values, 'purpose', purposes);

function formatIn(values: Values): (typeof formats)[number] {
  const known = choiceIn(values, 'format', formats);
  const json = values.json === true;
  if (json && known !== undefined && known !== 'json') throw new UsageError('use --json or --format, not both');
  return known ?? (json ? 'json' : 'text');
}
