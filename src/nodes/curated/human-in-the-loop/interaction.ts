/** Asking by a messaging service with n8n's send-and-wait: the same for each of them but for where the question goes. */
import { connected, fragmentNode } from '../../fragments/fragment.ts';
import type { Configuration, CuratedExample, CuratedSpec } from '../spec.ts';
import {
  branches,
  branchOutput,
  branchPorts,
  question,
  questionPort,
  type Reading,
  SET,
  SWITCH,
  verdict,
} from './branches.ts';

export interface Service {
  readonly subtype: string;
  /** n8n's node, and what it is called in the fragment. */
  readonly node: string;
  readonly asking: string;
  readonly title: string;
  readonly credential: string;
  /** Whom it goes to. */
  readonly configurations: Readonly<Record<string, Configuration>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly example: CuratedExample;
  readonly remark?: string;
}

const QUESTION = 'May this go ahead? Please answer yes or no.';

/** An answer opens the gate only where it is nothing but a yes: "ok, but wait" is for somebody to read. */
const words = (list: readonly string[]): string =>
  `/^(${list.join('|')})[\\s.!]*$/i.test(String($json.data.text ?? '').trim())`;
const yes = [
  'yes',
  'y',
  'yep',
  'yeah',
  'ok',
  'okay',
  'sure',
  'approved?',
  'confirm(ed)?',
  'accept(ed)?',
  'agreed?',
  'go ahead',
];
const no = [
  'no',
  'n',
  'nope',
  'reject(ed)?',
  'declined?',
  'den(y|ied)',
  'refused?',
  'disapproved?',
  'cancel',
  'stop',
  "don'?t",
  'do not',
];

const reading: Reading = {
  answered: '$json.question === undefined && $json.data?.respondedAt !== undefined',
  yes: `$json.data.approved === true || ${words(yes)}`,
  no: `$json.data.approved === false || ${words(no)}`,
  answer: "$json.data.text ?? ''",
  at: '$json.data.respondedAt',
};

export function interaction(service: Service): CuratedSpec {
  const { subtype, node, asking, title, credential, configurations, parameters, tags, example, remark } = service;
  return {
    type: 'HUMAN_IN_THE_LOOP',
    subtype,
    nodes: [node, SET, SWITCH],
    names: false,
    description: `Asks a person by ${title}, waits for the answer and goes on in one of four branches: confirmed, rejected, unrelated or timeout.`,
    configurations: {
      question: {
        type: 'string',
        description: 'What they are asked; an expression may take fields of the item',
        required: true,
        default: QUESTION,
        at: 'Question: assignments.assignments[0].value',
      },
      ...configurations,
      response_type: {
        type: 'string',
        description:
          'freeText: they write an answer on a page that the message leads to; approval: they press a button in the message, and nothing is ever unrelated. For a button to say no, set approvalOptions.values.approvalType to double.',
        default: 'freeText',
        options: ['freeText', 'approval'],
        at: `${asking}: responseType`,
      },
      timeout: {
        type: 'float',
        description: 'How long to wait, in timeout_unit',
        default: 60,
        min: 0,
        at: `${asking}: options.limitWaitTime.values.resumeAmount`,
      },
      timeout_unit: {
        type: 'string',
        description: 'The unit of timeout',
        default: 'minutes',
        options: ['minutes', 'hours', 'days'],
        at: `${asking}: options.limitWaitTime.values.resumeUnit`,
      },
    },
    inputParams: {},
    outputParams: branchOutput,
    inputPorts: [questionPort],
    outputPorts: branchPorts,
    tags: ['human', 'approval', 'confirm', 'review', 'wait', ...tags],
    examples: [example],
    guidance: `Insert the whole fragment: the four branches are the outputs of "Answer", because send-and-wait itself has one output. Do not put an IF or an agent after it. "Verdict" decides: a yes or a no on its own counts, anything else is unrelated; add words of your language there. Needs a credential of type ${credential}. The page of the answer is served by this n8n, so that the person has to reach it. n8n looks once a minute whose time is up.${remark === undefined ? '' : ` ${remark}`}`,
    fragment: (catalogue) => ({
      nodes: [
        question(catalogue, QUESTION),
        fragmentNode(catalogue, node, {
          name: asking,
          position: [240, 0],
          parameters: {
            ...parameters,
            message: '={{ $json.question }}',
            responseType: 'freeText',
            options: {
              limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount: 60, resumeUnit: 'minutes' } },
              appendAttribution: false,
            },
          },
        }),
        verdict(catalogue, reading),
        branches(catalogue),
      ],
      connections: connected(
        { from: 'Question', to: asking },
        { from: asking, to: 'Verdict' },
        { from: 'Verdict', to: 'Answer' },
      ),
    }),
  };
}
