import type { NodeType } from '../taxonomy/taxonomy.ts';

/** A node that often stands next to another, and what for. Names as `wholeName` takes them. */
export type Step = readonly [node: string, why: string];

export interface Habit {
  readonly after?: readonly Step[];
  /** By the name of the output, in small letters, where the outputs differ. */
  readonly outputs?: Readonly<Record<string, readonly Step[]>>;
  readonly before?: readonly Step[];
  readonly note?: string;
}

const set: Step = ['set', 'keep, name or change fields'];
const branch: Step = ['if', 'go on only when a condition holds'];
const choose: Step = ['switch', 'go different ways for different values'];
const call: Step = ['httpRequest', 'ask or tell another service'];
const code: Step = ['code', 'change the items with your own code'];
const split: Step = ['splitOut', 'make one item of each entry of a list'];
const gather: Step = ['aggregate', 'put all items into one'];
const filter: Step = ['filter', 'drop the items that are not wanted'];
const loop: Step = ['splitInBatches', 'work through many items a few at a time'];
const merge: Step = ['merge', 'bring the branches together again'];
const sheet: Step = ['googleSheets', 'keep it as rows'];
const table: Step = ['dataTable', 'keep it in n8n itself'];
const message: Step = ['slack', 'tell people'];
const mail: Step = ['emailSend', 'tell somebody by email'];
const nothing: Step = ['noOp', 'nothing is to be done here'];
const fail: Step = ['stopAndError', 'end with an error of your own words'];
const answer: Step = ['respondToWebhook', 'answer the caller'];
const agent: Step = ['ai:agent', 'let a model decide what to do'];
const schedule: Step = ['scheduleTrigger', 'start by the clock'];
const webhook: Step = ['webhook', 'start when a request comes in'];
const byHand: Step = ['manualTrigger', 'start by hand, to try it'];
const chat: Step = ['ai:chatTrigger', 'start with a message of a chat'];
const form: Step = ['formTrigger', 'start with a form that somebody filled in'];
const file: Step = ['extractFromFile', 'read what is in a file'];

/** What we know of single nodes. Where a list is absent the one of the node's kind holds. */
export const habits: ReadonlyMap<string, Habit> = new Map<string, Habit>([
  [
    'webhook',
    {
      after: [branch, set, choose, answer, agent],
      note: 'To answer with a Respond to Webhook node, set responseMode to responseNode.',
    },
  ],
  [
    'respondToWebhook',
    {
      before: [set, code, branch, ['ai:agent', 'answer with what the model says'], webhook],
      after: [message, table, call],
      note: 'It needs a Webhook node before it whose responseMode is responseNode; what follows runs after the caller has its answer.',
    },
  ],
  [
    'scheduleTrigger',
    { after: [call, sheet, ['postgres', 'read rows that are due'], ['rssFeedRead', 'read news'], set] },
  ],
  ['manualTrigger', { after: [set, call, code, agent] }],
  [
    'errorTrigger',
    { after: [message, mail, set, table], note: 'Other workflows name this one as errorWorkflow in their settings.' },
  ],
  [
    'executeWorkflowTrigger',
    { after: [set, branch, call, code], note: 'What the last node gives is what the calling workflow gets.' },
  ],
  [
    'executeWorkflow',
    { after: [set, branch, merge], note: 'The workflow it calls begins with an Execute Workflow Trigger.' },
  ],
  ['formTrigger', { after: [['form', 'show a further page, or the ending'], branch, sheet, mail] }],
  ['form', { before: [form, branch, set], after: [['form', 'show a further page, or the ending'], sheet, mail] }],
  ['emailReadImap', { after: [branch, file, ['ai:textClassifier', 'sort mails by what they are about'], agent] }],
  [
    'gmailTrigger',
    {
      after: [
        branch,
        ['ai:textClassifier', 'sort mails by what they are about'],
        agent,
        ['gmail', 'answer or label it'],
      ],
    },
  ],
  ['rssFeedReadTrigger', { after: [filter, ['ai:chainSummarization', 'shorten it'], message] }],
  ['localFileTrigger', { after: [['readWriteFile', 'read the file'], file, branch] }],
  [
    'httpRequest',
    {
      after: [split, set, branch, code, file],
      before: [schedule, webhook, set, loop],
      note: 'Give it a second way for failures with onError: continueErrorOutput.',
    },
  ],
  ['graphql', { after: [split, set, branch, code] }],
  ['set', { after: [call, branch, message, sheet, answer] }],
  ['code', { after: [call, branch, set, answer] }],
  [
    'if',
    {
      before: [call, webhook, sheet, set],
      outputs: { true: [call, message, set], false: [nothing, fail, set] },
      note: 'Both ways may lead to the same node later: they need no Merge unless both run.',
    },
  ],
  [
    'switch',
    {
      after: [call, message, set, nothing],
      before: [webhook, set, ['ai:textClassifier', 'find out what it is about']],
    },
  ],
  ['filter', { after: [call, message, sheet, loop] }],
  [
    'splitInBatches',
    {
      outputs: { done: [gather, set, message], loop: [call, code, ['wait', 'keep within the limits of a service']] },
      before: [split, sheet, call],
      note: 'The last node of the loop leads back into this node; done goes on when all items went through.',
    },
  ],
  [
    'merge',
    {
      after: [set, code, branch],
      before: [branch, choose, call],
      note: 'Each branch goes to an input of its own: index 0, 1, …',
    },
  ],
  [
    'compareDatasets',
    {
      outputs: {
        'in a only': [['postgres', 'add what is missing']],
        same: [nothing],
        different: [['postgres', 'bring it up to date']],
        'in b only': [['postgres', 'remove what is gone']],
      },
      note: 'Input 0 is A, input 1 is B.',
    },
  ],
  ['splitOut', { after: [loop, filter, call, set], before: [call, code, webhook] }],
  [
    'aggregate',
    { after: [message, mail, answer, ['ai:chainLlm', 'write about all of it at once']], before: [loop, split, sheet] },
  ],
  ['sort', { after: [['limit', 'keep the first ones'], gather, set] }],
  ['limit', { after: [call, gather, set] }],
  ['removeDuplicates', { after: [call, message, sheet], before: [schedule, ['rssFeedRead', 'read news'], call] }],
  ['summarize', { after: [message, sheet, set], before: [sheet, ['postgres', 'read rows']] }],
  ['wait', { after: [call, branch, message] }],
  ['stopAndError', { before: [branch, choose], note: 'Nothing follows: the execution ends here as failed.' }],
  ['noOp', { before: [branch, choose], after: [merge] }],
  [
    'extractFromFile',
    {
      before: [call, ['readWriteFile', 'read a file'], form, ['googleDrive', 'fetch a file']],
      after: [split, sheet, ['ai:chainSummarization', 'shorten it']],
    },
  ],
  [
    'convertToFile',
    {
      before: [sheet, gather, code],
      after: [mail, ['googleDrive', 'store the file'], ['readWriteFile', 'write the file'], answer],
    },
  ],
  ['readWriteFile', { after: [file, ['convertToFile', 'make a file of data'], mail] }],
  ['html', { before: [call], after: [set, split, mail] }],
  ['xml', { before: [call, ['readWriteFile', 'read a file']], after: [split, set] }],
  ['dataTable', { after: [branch, set, loop] }],
  ['googleSheets', { after: [filter, loop, branch, set] }],
  ['postgres', { after: [branch, loop, set, gather] }],
  ['ai:chatTrigger', { after: [agent, ['ai:chainLlm', 'one answer of a model, without tools'], choose] }],
  ['ai:mcpTrigger', { note: 'Nothing follows on main: its tools are attached to ai_tool, and MCP clients call them.' }],
  [
    'ai:agent',
    {
      before: [chat, webhook, set, ['slackTrigger', 'start with a message in Slack']],
      after: [set, answer, message, sheet],
    },
  ],
  ['ai:chainLlm', { before: [chat, set, gather, webhook], after: [set, message, answer] }],
  ['ai:chainSummarization', { before: [file, call, ['googleDrive', 'fetch a file']], after: [message, mail, set] }],
  ['ai:chainRetrievalQa', { before: [chat, webhook, set], after: [answer, message, set] }],
  [
    'ai:informationExtractor',
    { before: [file, ['gmailTrigger', 'start with a mail'], set], after: [sheet, table, branch] },
  ],
  [
    'ai:textClassifier',
    {
      before: [['gmailTrigger', 'start with a mail'], webhook, set],
      after: [message, ['gmail', 'answer or label it'], call],
    },
  ],
  ['ai:sentimentAnalysis', { before: [form, webhook, sheet], after: [message, sheet, nothing] }],
]);

/** What holds for a kind of node where nothing is known of the single one. */
export const habitsOfKind: Readonly<Record<NodeType, Required<Pick<Habit, 'after' | 'before'>>>> = {
  TRIGGER: { before: [], after: [set, branch, call, code, agent] },
  AI_AGENT: { before: [chat, webhook, set], after: [set, branch, message, answer] },
  ACTION: { before: [schedule, webhook, byHand, set, call], after: [set, branch, call, message] },
  EXTERNAL_ACTION: { before: [schedule, webhook, set, branch, loop], after: [set, branch, split, merge] },
  FLOW: { before: [schedule, webhook, call, set], after: [set, call, message, nothing] },
  HUMAN_IN_THE_LOOP: { before: [webhook, form, agent, set], after: [branch, choose, set] },
  TOOL: { before: [], after: [] },
  MEMORY: { before: [file, call, set], after: [set, agent, branch] },
};
