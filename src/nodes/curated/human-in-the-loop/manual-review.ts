import { connected, fragmentNode } from '../../fragments/fragment.ts';
import type { CuratedSpec } from '../spec.ts';
import { branches, branchOutput, branchPorts, question, questionPort, SET, SWITCH, verdict } from './branches.ts';

const NODE = 'n8n-nodes-base.wait';
const QUESTION = 'Please review this and decide.';

export const manualReview: CuratedSpec = {
  type: 'HUMAN_IN_THE_LOOP',
  subtype: 'MANUAL_REVIEW',
  nodes: [NODE, SET, SWITCH],
  names: false,
  description:
    'Waits until a person fills in a form that n8n itself serves, and continues in one of four branches: confirmed, rejected, unrelated or timeout. Needs no other service.',
  configurations: {
    question: {
      type: 'string',
      description: 'The question, shown above the form',
      required: true,
      default: QUESTION,
      at: 'Question: assignments.assignments[0].value',
    },
    title: {
      type: 'string',
      description: 'Title of the form',
      required: true,
      default: 'Review',
      at: 'Review: formTitle',
    },
    timeout: {
      type: 'float',
      description: 'How long to wait for an answer, in timeout_unit',
      default: 1,
      min: 0,
      at: 'Review: resumeAmount',
    },
    timeout_unit: {
      type: 'string',
      description: 'Unit of timeout',
      default: 'days',
      options: ['seconds', 'minutes', 'hours', 'days'],
      at: 'Review: resumeUnit',
    },
    authentication: {
      type: 'string',
      description:
        'Who can open the form: none: everyone with the link; basicAuth: user name and password (credential of type httpBasicAuth)',
      default: 'none',
      options: ['none', 'basicAuth'],
      at: 'Review: incomingAuthentication',
    },
  },
  inputParams: {},
  outputParams: {
    ...branchOutput,
    answer: { type: 'string', description: 'Comment of the person; empty if nobody answered' },
    review_url: { type: 'string', description: 'URL of the form of this run' },
  },
  inputPorts: [questionPort],
  outputPorts: branchPorts,
  tags: ['human', 'approval', 'review', 'form', 'manual', 'wait'],
  examples: [
    {
      name: 'Check an article',
      description: 'A node between Question and Review sends the link to the editor.',
      configurations: {
        question: '=Publish "{{ $json.title }}"?',
        title: 'Review an article',
        timeout: 2,
        timeout_unit: 'days',
      },
      input: { title: 'Sluices of the north' },
      output: { title: 'Sluices of the north', verdict: 'confirmed', answer: 'Well written.' },
    },
  ],
  guidance:
    'Insert the whole fragment: the four branches are the outputs of "Answer". n8n does not send the form to anybody: add a node between "Question" and "Review" that sends {{ $json.review_url }} to the person. "Something else" in the form leads to the branch unrelated. n8n checks for timeouts once a minute.',
  fragment: (catalogue) => ({
    nodes: [
      question(catalogue, QUESTION, { review_url: '={{ $execution.resumeFormUrl }}' }),
      fragmentNode(catalogue, NODE, {
        name: 'Review',
        position: [240, 0],
        parameters: {
          resume: 'form',
          incomingAuthentication: 'none',
          formTitle: 'Review',
          formDescription: "={{ $('Question').first().json.question }}",
          formFields: {
            values: [
              {
                fieldLabel: 'Decision',
                fieldType: 'dropdown',
                fieldOptions: { values: [{ option: 'Approve' }, { option: 'Reject' }, { option: 'Something else' }] },
                requiredField: true,
              },
              { fieldLabel: 'Comment', fieldType: 'textarea' },
            ],
          },
          responseMode: 'onReceived',
          limitWaitTime: true,
          limitType: 'afterTimeInterval',
          resumeAmount: 1,
          resumeUnit: 'days',
          options: {},
        },
      }),
      verdict(catalogue, {
        answered: '$json.question === undefined && $json.formMode !== undefined',
        yes: "$json.Decision === 'Approve'",
        no: "$json.Decision === 'Reject'",
        answer: "$json.Comment ?? ''",
        at: '$json.submittedAt',
      }),
      branches(catalogue),
    ],
    connections: connected(
      { from: 'Question', to: 'Review' },
      { from: 'Review', to: 'Verdict' },
      { from: 'Verdict', to: 'Answer' },
    ),
  }),
};
