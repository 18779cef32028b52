import { z } from 'zod';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { untilPresent } from '../../kernel/presence.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { type Finding, severities } from '../../validation/finding.ts';
import type { RuleGroup } from '../../validation/rule.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { N8nDeps } from '../tool.ts';
import { liveVersion } from '../workflows/published.ts';
import { byGravity } from './finding-shape.ts';
import { newFindings } from './new-findings.ts';
import { type CheckMode, checkModes, usualSettings } from './settings.ts';
import { surroundings } from './world.ts';

export const validateInput = z
  .enum(checkModes)
  .optional()
  .describe('New validation errors: strict (default) refuses the change, warn only reports them, off skips the check');

const MOST_SHOWN = 5;
/** When more workflows than this change at once, each answer has only the counts, and common notes appear once. */
const FEW = 5;
const MOST_BYTES = 1200;
const LONGEST = 300;

/** The validator's report on a change. */
export const validationShape = z
  .object({
    errors: z.number(),
    warnings: z.number(),
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.enum(severities),
        node: z.string().optional(),
        path: z.string(),
        message: z.string(),
        new: z.boolean().optional().describe('This change caused it'),
      }),
    ),
    note: z.string().optional(),
  })
  .describe('The first findings of the validator, new and severe ones first');

export type Validation = z.input<typeof validationShape>;

/** The rule groups to check on save. Style and ideas have their own tools. */
const checked: readonly RuleGroup[] = [
  'structure',
  'parameters',
  'connections',
  'expressions',
  'webhooks',
  'credentials',
];

type Draft = Pick<Workflow, 'name' | 'nodes' | 'connections'> & Partial<Workflow>;

export interface Guard {
  /**
   * Validates what is about to be saved or published; throws if it must not be. `before` is the workflow it replaces: only
   * new errors count, so that you can fix a broken workflow step by step.
   */
  check(draft: Draft, before?: Workflow): Promise<void>;
  /** The report for the answer; empty if nothing was found. */
  told(): { validation?: Validation };
}

export interface GuardOptions {
  readonly mode?: CheckMode | undefined;
  readonly publish?: boolean | undefined;
  /** For the error: what was not done. */
  readonly what?: string;
  /** How many workflows share one reply. */
  readonly share?: number;
  /** Findings to leave out. */
  readonly except?: (finding: Finding) => boolean;
  /** What to compare with, if not with what n8n has now. */
  readonly around?: ReturnType<typeof surroundings>;
}

/** Validates a workflow before it is saved or published. */
export function saveGuard(client: N8nClient, deps: N8nDeps, signal: AbortSignal, options: GuardOptions): Guard {
  const settings = deps.validation?.() ?? usualSettings;
  const { mode = settings.onSave, publish = false, what = 'nothing was saved', share = 1, except } = options;
  const purpose = publish ? ('publish' as const) : ('save' as const);
  let validation: Validation | undefined;
  let { around } = options;

  /** The catalogue to validate with, or why there is none. In strict mode a missing catalogue stops the change, too. */
  async function judgedBy(): Promise<Catalogue | string> {
    // An n8n that is still starting cannot list its nodes.
    await untilPresent(client.presence, signal);
    try {
      return await deps.catalogues.ready(client.name);
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      if (mode !== 'strict') return `Not validated: ${cut(error.message)}`;
      throw new AppError(
        error.code,
        `This could not be validated, so ${what}. ${error.message} To skip validation, repeat the call with "validate": "warn".`,
        { cause: error },
      );
    }
  }

  return {
    async check(draft, before) {
      validation = undefined;
      if (mode === 'off') return;
      const catalogue = await judgedBy();
      if (typeof catalogue === 'string') {
        if (share <= FEW) validation = { errors: 0, warnings: 0, findings: [], note: catalogue };
        return;
      }
      const { validateWorkflow } = await import('../../validation/validate.ts');
      around ??= surroundings(client, { catalogue, purpose, signal });
      const { world, notes } = await around(draft, before?.id);
      const judge = (workflow: Draft) =>
        validateWorkflow(contentOf(workflow), catalogue, {
          purpose,
          world,
          rules: settings.rules,
          only: checked,
        }).findings.filter((finding) => !except?.(finding));
      const findings = judge(draft);
      const base = before && baseOf(before, publish);
      const fresh = base
        ? newFindings({ workflow: draft, findings }, { workflow: base, findings: judge(base) })
        : findings;
      const stopping = fresh.filter(({ severity }) => severity === 'error');
      if (stopping.length > 0 && mode === 'strict') throw refusal(stopping, what, publish);
      validation = validationOf(findings, base ? new Set(fresh) : undefined, notes, share);
    },
    told: () => (validation ? { validation } : {}),
  };
}

/** The version that the change replaces: the live one when publishing, otherwise the draft. */
function baseOf(before: Workflow, publish: boolean): Workflow | undefined {
  if (!publish) return before;
  const live = liveVersion(before);
  return live && { ...before, ...live };
}

const contentOf = ({ name, nodes, connections, settings, pinData, nodeGroups }: Draft) => ({
  name,
  nodes,
  connections,
  settings: settings ?? {},
  ...(pinData && { pinData }),
  ...(Array.isArray(nodeGroups) && { nodeGroups: nodeGroups as unknown[] }),
});

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function refusal(errors: readonly Finding[], what: string, publish: boolean): AppError {
  const lines = errors
    .slice(0, MOST_SHOWN)
    .map(
      ({ rule, node, path, message }) =>
        `- ${rule} at ${cut(path)}${node === undefined ? '' : ` ("${cut(node)}")`}: ${cut(message)}`,
    );
  const more = errors.length > MOST_SHOWN ? [`… and ${errors.length - MOST_SHOWN} more.`] : [];
  const head = `The validator found ${errors.length === 1 ? 'an error' : `${errors.length} errors`} in what you want to ${publish ? 'publish' : 'save'}; ${what}.`;
  const advice = `Fix it, or repeat the call with "validate": "warn" to ${publish ? 'publish' : 'save'} it anyway.`;
  return new AppError('invalid_input', [head, ...lines, ...more, advice].join('\n'));
}

function validationOf(
  findings: readonly Finding[],
  fresh: ReadonlySet<Finding> | undefined,
  notes: readonly string[],
  share: number,
): Validation | undefined {
  const told = findings.filter(({ severity }) => severity !== 'info');
  if (told.length === 0 && notes.length === 0) return undefined;
  const order = byGravity(told).sort((a, b) => Number(fresh?.has(b) ?? false) - Number(fresh?.has(a) ?? false));
  const shown = order.map(({ rule, severity, node, path, message }, index) => ({
    rule,
    severity,
    ...(node !== undefined && { node: cut(node) }),
    path: cut(path),
    message: cut(message),
    ...(fresh?.has(order[index] as Finding) && { new: true }),
  }));
  let left = MOST_BYTES / share;
  const kept = shown
    .slice(0, MOST_SHOWN)
    .filter((one, index) => (left -= JSON.stringify(one).length) >= 0 || index === 0);
  const rest = shown.length - kept.length;
  if (share > FEW) return told.length > 0 ? counted(told, []) : undefined;
  const note = [...notes, ...(rest > 0 ? [`${rest} more: n8n_validate_workflow shows them.`] : [])].join(' ');
  return { ...counted(told, kept), ...(note !== '' && { note }) };
}

function counted(told: readonly Finding[], findings: Validation['findings']): Validation {
  const of = (wanted: Finding['severity']) => told.filter(({ severity }) => severity === wanted).length;
  return { errors: of('error'), warnings: of('warning'), findings };
}

/** When many workflows change at once: why none of them was validated. */
export function notValidated(client: N8nClient, { catalogues }: N8nDeps, count: number): string | undefined {
  if (count <= FEW) return undefined;
  try {
    catalogues.get(client.name);
    return undefined;
  } catch (error) {
    return `Not validated: ${cut(messageOf(error))}`;
  }
}
