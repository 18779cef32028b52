import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { Question } from './question.ts';

const HIDDEN = 0.3;
const DEPRECATED = 0.5;
const COMMUNITY = 0.75;
/** Nodes for testing or teaching n8n, and internal ones. */
const EXERCISE = 0.3;
const TRIGGER_WANTED = 1.5;
const TRIGGER_PERHAPS = 1.2;
const AI_WANTED = 1.5;
const TRIGGER_NOT_WANTED = 0.6;
const WIDELY_USED = 1.06;

/** Decides between equally good matches: prefers common nodes, and triggers only if the question asks for one. */
export function preferenceOf(node: NodeSummary, question: Question, catalogue: Catalogue): number {
  let factor = widelyUsed.has(node.name) ? WIDELY_USED : 1;
  if (node.hidden) factor *= HIDDEN;
  if (node.deprecated) factor *= DEPRECATED;
  if (node.community) factor *= COMMUNITY;
  if (/\.(?:e2eTest|n8nTraining|dynamicCredentialCheck)/.test(node.name)) factor *= EXERCISE;
  if (question.ai && node.package === '@n8n/n8n-nodes-langchain') factor *= AI_WANTED;
  if (node.trigger && question.trigger !== 'no') {
    factor *= question.trigger === 'surely' ? TRIGGER_WANTED : TRIGGER_PERHAPS;
  }
  // The question names a trigger, as in "Slack trigger".
  else if (!node.trigger && / trigger$/i.test(question.text)) factor *= TRIGGER_NOT_WANTED;
  // No trigger wanted: prefer the app's action node. Triggers without an app node are not affected.
  else if (node.trigger && catalogue.node(node.name.replace(/Trigger$/, '')) !== undefined) {
    if (node.name.endsWith('Trigger')) factor *= TRIGGER_NOT_WANTED;
  }
  return factor;
}

const base = `httpRequest code set if switch merge webhook scheduleTrigger gmail googleSheets slack telegram splitInBatches
  wait filter emailSend googleDrive postgres notion airtable respondToWebhook executeWorkflow extractFromFile aggregate
  splitOut hubspot github googleCalendar discord whatsApp mySql formTrigger microsoftOutlook jira supabase`;
const ai = 'agent chatTrigger openAi lmChatOpenAi chainLlm memoryBufferWindow outputParserStructured';

const widelyUsed: ReadonlySet<string> = new Set([
  ...base.split(/\s+/).map((name) => `n8n-nodes-base.${name}`),
  ...ai.split(/\s+/).map((name) => `@n8n/n8n-nodes-langchain.${name}`),
]);
