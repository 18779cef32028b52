/**
 * n8n's send-and-wait has one output. What comes out of it is the answer alone, or, when the time is up, the items that
 * went in. These two nodes tell the four outcomes apart and give the item back what it held before the question.
 */
import type { Catalogue } from '../../catalogue.ts';
import { type FragmentNode, fragmentNode } from '../../fragments/fragment.ts';
import { conditions } from '../condition.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec, PortSpec } from '../spec.ts';

export const SET = 'n8n-nodes-base.set';
export const SWITCH = 'n8n-nodes-base.switch';

const outcomes = ['confirmed', 'rejected', 'unrelated', 'timeout'] as const;

export const branchPorts: readonly PortSpec[] = [
  branch('confirmed', 'They said yes'),
  branch('rejected', 'They said no'),
  branch('unrelated', 'They answered something else: it is in $json.answer'),
  branch('timeout', 'Nobody answered in time'),
];

export const questionPort: PortSpec = itemsIn('Question', 'Asked once, about the first item');

export const branchOutput: CuratedSpec['outputParams'] = {
  verdict: { type: 'string', description: 'confirmed, rejected, unrelated or timeout' },
  answer: { type: 'string', description: 'What they wrote; empty with buttons and when nobody answered' },
  responded_at: { type: 'string', description: 'When they answered; null when nobody did' },
  question: { type: 'string', description: 'What was asked; the other fields of the item are there too' },
};

/** Puts the question into the item. That it is still there afterwards shows that nobody answered. */
export function question(
  catalogue: Catalogue,
  text: string,
  more: Readonly<Record<string, string>> = {},
): FragmentNode {
  const fields = { question: text, ...more };
  return fragmentNode(catalogue, SET, {
    name: 'Question',
    parameters: {
      mode: 'manual',
      assignments: {
        assignments: Object.entries(fields).map(([name, value]) => ({ id: name, name, type: 'string', value })),
      },
      includeOtherFields: true,
      options: {},
    },
  });
}

export interface Reading {
  /** Expressions over the item that came out of the waiting node. */
  readonly answered: string;
  readonly yes: string;
  readonly no: string;
  readonly answer: string;
  readonly at: string;
}

export function verdict(catalogue: Catalogue, { answered, yes, no, answer, at }: Reading): FragmentNode {
  const outcome = `!(${answered}) ? 'timeout' : ${yes} ? 'confirmed' : ${no} ? 'rejected' : 'unrelated'`;
  const unless = (value: string, otherwise: string) => `(${answered}) ? (${value}) : ${otherwise}`;
  return fragmentNode(catalogue, SET, {
    name: 'Verdict',
    position: [480, 0],
    parameters: {
      mode: 'raw',
      jsonOutput: `={{ ({ ...$('Question').first().json, verdict: ${outcome}, answer: ${unless(answer, "''")}, responded_at: ${unless(at, 'null')} }) }}`,
      options: {},
    },
  });
}

export function branches(catalogue: Catalogue): FragmentNode {
  return fragmentNode(catalogue, SWITCH, {
    name: 'Answer',
    position: [720, 0],
    parameters: {
      mode: 'rules',
      rules: {
        values: outcomes.slice(0, -1).map((outcome) => ({
          conditions: conditions({
            left: '={{ $json.verdict }}',
            operator: { type: 'string', operation: 'equals' },
            right: outcome,
          }),
          renameOutput: true,
          outputKey: outcome,
        })),
      },
      options: { fallbackOutput: 'extra', renameFallbackOutput: outcomes.at(-1) },
    },
  });
}

function branch(name: (typeof outcomes)[number], description: string): PortSpec {
  const output = outcomes.indexOf(name);
  return { ...itemsOut('Answer', `Output ${output} of "Answer". ${description}`, output), name };
}
