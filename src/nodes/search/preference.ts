import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { Question } from './question.ts';

const HIDDEN = 0.3;
const DEPRECATED = 0.5;
const COMMUNITY = 0.75;
/** Made to test or to teach n8n, or for what nobody asks for in words. */
const EXERCISE = 0.3;
const TRIGGER_WANTED = 1.5;
const TRIGGER_PERHAPS = 1.2;
const AI_WANTED = 1.5;
const TRIGGER_NOT_WANTED = 0.6;
const WIDELY_USED = 1.06;

/** Which of two that fit as well as each other is meant: the usual one, and one that starts only where that is asked. */
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
  // "Slack trigger" is the name of one.
  else if (!node.trigger && / trigger$/i.test(question.text)) factor *= TRIGGER_NOT_WANTED;
  // The trigger of an app, where the app itself is meant. A trigger that stands alone is what its name says.
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
