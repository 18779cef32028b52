import { messageOf } from '../kernel/errors.ts';
import type { Catalogue } from '../nodes/catalogue.ts';
import { isDormant } from './dormant.ts';
import { type Finding, type Purpose, type Severity, severities } from './finding.ts';
import { inOrder } from './order.ts';
import { prepare } from './subject/prepare.ts';
import { readWorkflow } from './subject/read-workflow.ts';
import type { Rule, RuleGroup } from './rule.ts';
import { rules as everyRule } from './rules/index.ts';
import { notAWorkflow } from './rules/structure/not-a-workflow.ts';
import type { Subject, World } from './subject/subject.ts';

export interface ValidationOptions {
  readonly purpose?: Purpose;
  /** What else is on the instance. */
  readonly world?: World | undefined;
  /** By rule id or group: `off`, or another severity. An id overrides its group. */
  readonly rules?: RuleSwitches | undefined;
  /** Only these groups. */
  readonly only?: readonly RuleGroup[] | undefined;
  /** The maximum number of findings, errors first. `counts` includes all. */
  readonly limit?: number | undefined;
}

export type RuleSwitches = Readonly<Record<string, 'off' | Severity>>;

export interface ValidationReport {
  /** No error among the findings. */
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Severity, number>>;
}

/** The same mistake in ten thousand nodes: nobody reads more than this. */
const MOST_OF_ONE_RULE = 2000;
const LONGEST_MESSAGE = 2000;
const LONGEST_NAME = 1000;

/** Runs the rules on a workflow. Never throws, whatever the input, and is deterministic. */
export function validateWorkflow(
  input: unknown,
  catalogue: Catalogue,
  options: ValidationOptions = {},
  rules: readonly Rule[] = everyRule,
): ValidationReport {
  const { purpose = 'run', world } = options;
  const { workflow, problems } = readWorkflow(input);
  const subject = prepare({ workflow: workflow ?? {}, catalogue, purpose, world, problems });
  // For input that is not a workflow this is the only finding, and it cannot be switched off.
  if (!workflow) return reportOf(findingsOf(notAWorkflow, 'error', subject), options.limit);
  const wanted = rules.filter(({ group }) => options.only?.includes(group) ?? true);
  const findings = wanted.flatMap((rule) => {
    const severity = severityOf(rule, purpose, options.rules ?? {});
    return severity === undefined ? [] : findingsOf(rule, severity, subject);
  });
  return reportOf(withoutRepeats(findings, wanted), options.limit);
}

/** Drops findings that another rule supersedes: one finding per cause. */
function withoutRepeats(findings: readonly Finding[], rules: readonly Rule[]): readonly Finding[] {
  const superseding = new Map(rules.flatMap(({ id, supersedes }) => (supersedes ? [[id, supersedes] as const] : [])));
  const silent = new Set<string>();
  for (const { rule, path } of findings) {
    for (const other of superseding.get(rule) ?? []) silent.add(`${other} ${path}`);
  }
  return silent.size === 0 ? findings : findings.filter(({ rule, path }) => !silent.has(`${rule} ${path}`));
}

function severityOf(rule: Rule, purpose: Purpose, switches: RuleSwitches): Severity | undefined {
  const own = typeof rule.severity === 'string' ? rule.severity : rule.severity[purpose];
  const key = [rule.id, rule.group].find((name) => Object.hasOwn(switches, name));
  const wanted = key === undefined ? undefined : switches[key];
  // Switches change a severity, but do not add one for a purpose that the rule skips.
  return own === undefined || wanted === 'off' ? undefined : (wanted ?? own);
}

function findingsOf(rule: Rule, severity: Severity, subject: Subject): Finding[] {
  const findings = new Map<string, Finding>();
  const add = (finding: Finding) => {
    if (findings.size < MOST_OF_ONE_RULE) findings.set(`${finding.path}\n${finding.message}`, finding);
  };
  try {
    rule.check(subject, (found) => {
      const own = lower(severity, found.severity);
      const judged = own === 'error' && isDormant(rule, found, subject) ? 'warning' : own;
      add({ ...readable(found), rule: rule.id, severity: judged });
    });
  } catch (error) {
    const message = `The rule ${rule.id} failed, so some of its findings may be missing: ${messageOf(error).slice(0, 200)}. Please report it.`;
    add({ rule: 'internal-error', severity: 'info', path: '', message });
  }
  return [...findings.values()];
}

/** A node name may be a megabyte long. Keep the start and the end of the message. */
function readable<T extends Pick<Finding, 'message' | 'node'>>(found: T): T {
  const { message, node = '' } = found;
  if (message.length <= LONGEST_MESSAGE && node.length <= LONGEST_NAME) return found;
  const [start, end] = [message.slice(0, LONGEST_MESSAGE / 2), message.slice(-LONGEST_MESSAGE / 2)];
  return {
    ...found,
    ...(message.length > LONGEST_MESSAGE && { message: `${start}…${end}` }),
    ...(node.length > LONGEST_NAME && { node: `${node.slice(0, LONGEST_NAME)}…` }),
  };
}

function lower(one: Severity, other: Severity | undefined): Severity {
  return other !== undefined && severities.indexOf(other) > severities.indexOf(one) ? other : one;
}

function reportOf(findings: readonly Finding[], limit: number | undefined): ValidationReport {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  const kept = limit === undefined || findings.length <= limit ? findings : gravest(findings, limit);
  return { valid: counts.error === 0, findings: inOrder(kept), counts };
}

function gravest(findings: readonly Finding[], limit: number): Finding[] {
  return severities
    .flatMap((wanted) => inOrder(findings.filter(({ severity }) => severity === wanted)))
    .slice(0, limit);
}
