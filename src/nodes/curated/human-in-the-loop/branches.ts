/**
 * n8n's send-and-wait has one output, which gives only the answer or, after the timeout, the input items. These nodes
 * separate the four outcomes and restore the fields that the item had before the question.
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
  branch('confirmed', 'The person said yes'),
  branch('rejected', 'The person said no'),
  branch('unrelated', 'The person answered something else, see $json.answer'),
  branch('timeout', 'Nobody answered in time'),
];

export const questionPort: PortSpec = itemsIn('Question', 'The question is asked once, for the first item');

export const branchOutput: CuratedSpec['outputParams'] = {
  verdict: { type: 'string', description: 'confirmed, rejected, unrelated or timeout' },
  answer: { type: 'string', description: 'The text of the answer; empty for buttons and if nobody answered' },
  responded_at: { type: 'string', description: 'Time of the answer; null if nobody answered' },
  question: { type: 'string', description: 'The question; the other fields of the item are kept too' },
};

/** Puts the question into the item. If it is still there after the wait, nobody answered. */
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
