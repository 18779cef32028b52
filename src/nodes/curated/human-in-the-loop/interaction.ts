/** Asks through a messaging service with n8n's send-and-wait. The services differ only in where the question goes. */
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
  /** n8n's node. */
  readonly node: string;
  /** Its name in the fragment. */
  readonly asking: string;
  readonly title: string;
  readonly credential: string;
  /** Who receives the question. */
  readonly configurations: Readonly<Record<string, Configuration>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly example: CuratedExample;
  readonly remark?: string;
}

const QUESTION = 'May this go ahead? Please answer yes or no.';

/** Matches only if the answer is nothing but one of these words: "ok, but wait" needs a human reader. */
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
    description: `Asks a person by ${title}, waits for the answer and continues in one of four branches: confirmed, rejected, unrelated or timeout.`,
    configurations: {
      question: {
        type: 'string',
        description: 'The question; an expression can use fields of the item',
        required: true,
        default: QUESTION,
        at: 'Question: assignments.assignments[0].value',
      },
      ...configurations,
      response_type: {
        type: 'string',
        description:
          'freeText: the message links to a page for a written answer; approval: the message has a button, and unrelated never happens. For a second button that says no, set approvalOptions.values.approvalType to double.',
        default: 'freeText',
        options: ['freeText', 'approval'],
        at: `${asking}: responseType`,
      },
      timeout: {
        type: 'float',
        description: 'How long to wait for an answer, in timeout_unit',
        default: 60,
        min: 0,
        at: `${asking}: options.limitWaitTime.values.resumeAmount`,
      },
      timeout_unit: {
        type: 'string',
        description: 'Unit of timeout',
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
    guidance: `Insert the whole fragment: the four branches are the outputs of "Answer", because send-and-wait itself has one output. Do not add an IF or an agent after it. "Verdict" decides: only a plain yes or no counts, anything else is unrelated. Add words of your language there. Needs a credential of type ${credential}. This n8n serves the answer page, so the person must be able to reach it. n8n checks for timeouts once a minute.${remark === undefined ? '' : ` ${remark}`}`,
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
