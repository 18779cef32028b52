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
  /** Every workflow, to compare with. */
  readonly all: readonly Workflow[];
  /** The workflows to validate. */
  readonly wanted: readonly Workflow[];
  /** Default: `publish` for live workflows, `run` for the others. */
  readonly purpose?: Purpose | undefined;
  readonly rules: RuleSwitches;
  readonly signal: AbortSignal;
}

/** Validates the workflows of an n8n, one per step of the generator. */
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

/** The findings of a workflow, possibly filtered. */
export interface Told {
  readonly workflow: Pick<Workflow, 'id' | 'name' | 'active'>;
  readonly findings: readonly Finding[];
}

export interface RuleSum {
  readonly rule: string;
  /** The highest of its findings. */
  readonly severity: Severity;
  readonly findings: number;
  readonly workflows: number;
}

/** Counts findings by rule, most severe and most frequent first. */
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
