import type { Catalogue } from '../../nodes/catalogue.ts';
import { type Finding, type Purpose, type Severity, severities } from '../../validation/finding.ts';
import { type RuleSwitches, type ValidationReport, validateWorkflow } from '../../validation/validate.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { writable } from '../workflows/body.ts';
import { credentialsOf, dataTablesOf, lookUpIn, othersOf } from './world.ts';
import { AppError } from '../../kernel/errors.ts';

export interface JudgedWorkflow {
  readonly workflow: Pick<Workflow, 'id' | 'name' | 'active'>;
  readonly report: ValidationReport;
}

export interface Asked {
  readonly client: N8nClient;
  readonly catalogue: Catalogue;
  /** Every workflow there is, to compare with. */
  readonly all: readonly Workflow[];
  /** Those that are judged. */
  readonly wanted: readonly Workflow[];
  /** `publish` for what is live and `run` for the rest, unless told. */
  readonly purpose?: Purpose | undefined;
  readonly rules: RuleSwitches;
  readonly signal: AbortSignal;
}

/** Judges the workflows of an n8n, one at each step. */
export async function judgeInstance({ client, catalogue, all, wanted, purpose, rules, signal }: Asked) {
  const notes: string[] = [];
  const unless = (what: string) => (error: unknown) => {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    notes.push(`Not compared with the ${what} of n8n (${client.name}): ${error.message}`);
    return undefined;
  };
  const [credentials, dataTables] = await Promise.all([
    credentialsOf(client, signal).catch(unless('credentials')),
    dataTablesOf(client, signal).catch(unless('data tables')),
  ]);
  const [workflows, workflowById] = [othersOf(all), lookUpIn(all)];
  function* each(): Generator<JudgedWorkflow> {
    for (const workflow of wanted) {
      const report = validateWorkflow(writable(workflow), catalogue, {
        purpose: purpose ?? (workflow.active ? 'publish' : 'run'),
        rules,
        world: {
          self: workflow.id,
          workflow: workflowById,
          ...(workflows && { workflows }),
          ...(credentials && { credentials }),
          ...(dataTables && { dataTables }),
        },
      });
      yield { workflow, report };
    }
  }
  return { each: each(), notes };
}

/** What is told of a workflow: all that was found, or what was asked for. */
export interface Told {
  readonly workflow: Pick<Workflow, 'id' | 'name' | 'active'>;
  readonly findings: readonly Finding[];
}

export interface RuleSum {
  readonly rule: string;
  /** The gravest. */
  readonly severity: Severity;
  readonly findings: number;
  readonly workflows: number;
}

/** Which rules speak, the gravest and most frequent first. */
export function sumByRule(judged: readonly Told[]): RuleSum[] {
  const sums = new Map<string, { severity: Severity; findings: number; workflows: Set<string> }>();
  for (const { workflow, findings } of judged) {
    for (const { rule, severity } of findings) {
      const sum = sums.get(rule) ?? { severity, findings: 0, workflows: new Set<string>() };
      if (rank(severity) < rank(sum.severity)) sum.severity = severity;
      sum.findings++;
      sum.workflows.add(workflow.id);
      sums.set(rule, sum);
    }
  }
  return [...sums]
    .map(([rule, { severity, findings, workflows }]) => ({ rule, severity, findings, workflows: workflows.size }))
    .sort((a, b) => rank(a.severity) - rank(b.severity) || b.findings - a.findings);
}

const rank = (severity: Severity) => severities.indexOf(severity);
