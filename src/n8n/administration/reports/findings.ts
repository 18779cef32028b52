import { z } from 'zod';
import type { AuditReport } from '../../client/reports.ts';

export const findingOutput = z.object({
  kind: z.string().describe('credential, node or community package'),
  id: z.string().optional(),
  name: z.string().optional(),
  node: z.string().optional(),
  type: z.string().optional(),
});

export type Finding = z.output<typeof findingOutput>;

export interface Section {
  /** Its name in a call: `instance-3`. */
  readonly section: string;
  readonly risk: string;
  readonly title: string;
  readonly description: string;
  readonly recommendation: string;
  readonly findings: Finding[];
  /** What n8n says besides, such as settings. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The sections of all reports, in n8n's order. */
export function sectionsOf(reports: readonly AuditReport[]): Section[] {
  return reports.flatMap(({ risk, sections }) =>
    sections.map(({ title, description, recommendation, location = [], ...details }, index) => ({
      section: `${risk}-${index + 1}`,
      risk,
      title,
      description,
      recommendation,
      findings: location.map(findingOf),
      details,
    })),
  );
}

function findingOf(location: Readonly<Record<string, unknown>>): Finding {
  const text = (key: string) => (typeof location[key] === 'string' ? location[key] : undefined);
  const found = {
    kind: text('kind') ?? 'unknown',
    id: text('workflowId') ?? text('id'),
    name: text('workflowName') ?? text('name') ?? text('packageUrl'),
    node: text('nodeName'),
    type: text('nodeType'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Finding;
}

/** `"Orders" (id), node "HTTP Request"`, to name a few in an overview. */
export const inShort = ({ id, name, node, type }: Finding): string =>
  [name ?? type ?? '', id === undefined ? '' : `(${id})`, node === undefined ? '' : `node ${node}`]
    .filter((part) => part !== '')
    .join(' ');
