import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { type Finding, severities } from '../../validation/finding.ts';
import { cursorFor, placeIn } from '../cursor.ts';

const LONGEST = 500;
const LARGEST_PATCH = 600;

export const findingShape = z.object({
  rule: z.string().describe('Id of the rule'),
  severity: z.enum(severities),
  node: z.string().optional().describe('Name of the node'),
  path: z.string().describe('JSON Pointer into the workflow'),
  message: z.string().describe('What is wrong, and how to fix it'),
  fix: z
    .object({
      description: z.string(),
      safe: z.boolean().describe('The workflow does the same afterwards: n8n_fix_workflow applies it'),
      changes: z.string().optional().describe('If not safe: what n8n does differently afterwards'),
      patch: z
        .array(z.looseObject({ op: z.string(), path: z.string() }))
        .optional()
        .describe('JSON Patch on the workflow'),
    })
    .optional(),
});

export type ShownFinding = z.input<typeof findingShape>;

export const countsShape = z.object({ error: z.number(), warning: z.number(), info: z.number() });

export const catalogueShape = z
  .object({ n8n: z.string(), from: z.enum(['packages', 'instance']) })
  .describe('The n8n version whose nodes it was checked against, read from its packages or from the instance');

export const catalogueOf = ({ origin: { n8n, from } }: Catalogue) => ({ n8n, from });

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** A finding for a reply, with long texts cut and long patches left out. */
export function shownFinding({ rule, severity, node, path, message, fix }: Finding): ShownFinding {
  return {
    rule,
    severity,
    ...(node !== undefined && { node: cut(node) }),
    path: cut(path),
    message: cut(message),
    ...(fix && {
      fix: {
        description: cut(fix.description),
        safe: fix.safe,
        ...(!fix.safe && { changes: cut(fix.changes) }),
        ...(JSON.stringify(fix.patch).length <= LARGEST_PATCH && { patch: [...fix.patch] }),
      },
    }),
  };
}

/** Errors, then warnings, then the rest, each in the order of the workflow. */
export function byGravity<T extends Pick<Finding, 'severity'>>(findings: readonly T[]): T[] {
  return severities.flatMap((wanted) => findings.filter(({ severity }) => severity === wanted));
}

/** As many findings as fit into one reply, most severe first, with a cursor for the rest. */
export function pageOfFindings(
  tool: string,
  asked: object,
  findings: readonly Finding[],
  { cursor, limit, besides }: { cursor?: string | undefined; limit?: number | undefined; besides: object },
): { findings: ShownFinding[]; cursor?: string } {
  const { skip } = placeIn(tool, asked, cursor);
  const rest = byGravity(findings).slice(skip).map(shownFinding);
  const kept = rest.slice(0, limit ?? fittingItems(rest.slice(0, 200), { ...besides, cursor: 'x'.repeat(100) }));
  return {
    findings: kept,
    ...(kept.length < rest.length && { cursor: cursorFor(tool, asked, { skip: skip + kept.length }) }),
  };
}
