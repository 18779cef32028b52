import type { NodeType } from '../taxonomy/taxonomy.ts';

/** A node that often comes next to another, and why. The name is in the short form that `wholeName` expands. */
export type Step = readonly [node: string, why: string];

export interface Habit {
  readonly after?: readonly Step[];
  /** By lower-case output name, for nodes whose outputs differ. */
  readonly outputs?: Readonly<Record<string, readonly Step[]>>;
  readonly before?: readonly Step[];
  readonly note?: string;
}

const set: Step = ['set', 'keep, name or change fields'];
const branch: Step = ['if', 'continue only if a condition holds'];
const choose: Step = ['switch', 'take different branches for different values'];
const call: Step = ['httpRequest', 'call another service'];
const code: Step = ['code', 'change the items with your own code'];
const split: Step = ['splitOut', 'turn each entry of a list into an item'];
const gather: Step = ['aggregate', 'combine all items into one'];
const filter: Step = ['filter', 'drop unwanted items'];
const loop: Step = ['splitInBatches', 'process many items in batches'];
const merge: Step = ['merge', 'join the branches again'];
const sheet: Step = ['googleSheets', 'store it as rows'];
const table: Step = ['dataTable', 'store it in n8n itself'];
const message: Step = ['slack', 'tell people'];
const mail: Step = ['emailSend', 'tell somebody by email'];
const nothing: Step = ['noOp', 'do nothing on this branch'];
const fail: Step = ['stopAndError', 'fail with your own error message'];
const answer: Step = ['respondToWebhook', 'answer the caller'];
const agent: Step = ['ai:agent', 'let a model decide what to do'];
const schedule: Step = ['scheduleTrigger', 'start on a schedule'];
const webhook: Step = ['webhook', 'start when a request comes in'];
const byHand: Step = ['manualTrigger', 'start by hand, for testing'];
const chat: Step = ['ai:chatTrigger', 'start with a chat message'];
const form: Step = ['formTrigger', 'start when somebody submits a form'];
const file: Step = ['extractFromFile', 'read the content of a file'];

/** Habits of individual nodes. If a list is missing, the one of the node's type applies. */
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
      before: [set, code, branch, ['ai:agent', 'answer with the text of the model'], webhook],
      after: [message, table, call],
      note: 'It needs a Webhook node before it whose responseMode is responseNode. Nodes after it run once the caller has the response.',
    },
  ],
  [
    'scheduleTrigger',
    { after: [call, sheet, ['postgres', 'read rows that are due'], ['rssFeedRead', 'read news'], set] },
  ],
  ['manualTrigger', { after: [set, call, code, agent] }],
  [
    'errorTrigger',
    {
      after: [message, mail, set, table],
      note: 'Other workflows refer to this one as errorWorkflow in their settings.',
    },
  ],
  [
    'executeWorkflowTrigger',
    { after: [set, branch, call, code], note: 'The calling workflow gets the output of the last node.' },
  ],
  [
    'executeWorkflow',
    { after: [set, branch, merge], note: 'The called workflow must start with an Execute Workflow Trigger.' },
  ],
  ['formTrigger', { after: [['form', 'show another page, or the final one'], branch, sheet, mail] }],
  ['form', { before: [form, branch, set], after: [['form', 'show another page, or the final one'], sheet, mail] }],
  ['emailReadImap', { after: [branch, file, ['ai:textClassifier', 'sort emails by topic'], agent] }],
  [
    'gmailTrigger',
    {
      after: [branch, ['ai:textClassifier', 'sort emails by topic'], agent, ['gmail', 'answer or label it']],
    },
  ],
  ['rssFeedReadTrigger', { after: [filter, ['ai:chainSummarization', 'summarize it'], message] }],
  ['localFileTrigger', { after: [['readWriteFile', 'read the file'], file, branch] }],
  [
    'httpRequest',
    {
      after: [split, set, branch, code, file],
      before: [schedule, webhook, set, loop],
      note: 'Add a second output for failures with onError: continueErrorOutput.',
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
      note: 'Both branches may lead to the same node later. They need a Merge only if both run.',
    },
  ],
  [
    'switch',
    {
      after: [call, message, set, nothing],
      before: [webhook, set, ['ai:textClassifier', 'find its topic']],
    },
  ],
  ['filter', { after: [call, message, sheet, loop] }],
  [
    'splitInBatches',
    {
      outputs: { done: [gather, set, message], loop: [call, code, ['wait', 'respect the rate limit of a service']] },
      before: [split, sheet, call],
      note: 'Connect the last node of the loop back to this node. done continues when all items are processed.',
    },
  ],
  [
    'merge',
    {
      after: [set, code, branch],
      before: [branch, choose, call],
      note: 'Connect each branch to its own input: index 0, 1, …',
    },
  ],
  [
    'compareDatasets',
    {
      outputs: {
        'in a only': [['postgres', 'add what is missing']],
        same: [nothing],
        different: [['postgres', 'update it']],
        'in b only': [['postgres', 'remove what is gone']],
      },
      note: 'Input 0 is A, input 1 is B.',
    },
  ],
  ['splitOut', { after: [loop, filter, call, set], before: [call, code, webhook] }],
  [
    'aggregate',
    { after: [message, mail, answer, ['ai:chainLlm', 'write one text about all items']], before: [loop, split, sheet] },
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
      after: [split, sheet, ['ai:chainSummarization', 'summarize it']],
    },
  ],
  [
    'convertToFile',
    {
      before: [sheet, gather, code],
      after: [mail, ['googleDrive', 'store the file'], ['readWriteFile', 'write the file'], answer],
    },
  ],
  ['readWriteFile', { after: [file, ['convertToFile', 'turn data into a file'], mail] }],
  ['html', { before: [call], after: [set, split, mail] }],
  ['xml', { before: [call, ['readWriteFile', 'read a file']], after: [split, set] }],
  ['dataTable', { after: [branch, set, loop] }],
  ['googleSheets', { after: [filter, loop, branch, set] }],
  ['postgres', { after: [branch, loop, set, gather] }],
  ['ai:chatTrigger', { after: [agent, ['ai:chainLlm', 'one model answer, without tools'], choose] }],
  ['ai:mcpTrigger', { note: 'Nothing follows on main: attach tools to ai_tool, and MCP clients call them.' }],
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
    { before: [file, ['gmailTrigger', 'start with an email'], set], after: [sheet, table, branch] },
  ],
  [
    'ai:textClassifier',
    {
      before: [['gmailTrigger', 'start with an email'], webhook, set],
      after: [message, ['gmail', 'answer or label it'], call],
    },
  ],
  ['ai:sentimentAnalysis', { before: [form, webhook, sheet], after: [message, sheet, nothing] }],
]);

/** Fallback by node type. */
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
