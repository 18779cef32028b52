const BASE = 'n8n-nodes-base';
const AI = '@n8n/n8n-nodes-langchain';

/**
 * Curated subtypes that do not name a single n8n node, each with its main node. Repeated here so that names can be looked
 * up without loading all curated texts.
 */
export const composedSubtypes: ReadonlyMap<string, string> = new Map([
  ['AI_AGENT.OPENAI_CHATGPT', `${AI}.agent`],
  ['AI_AGENT.ANTHROPIC_CLAUDE', `${AI}.agent`],
  ['AI_AGENT.GOOGLE_GEMINI', `${AI}.agent`],
  ['EXTERNAL_ACTION.FIRECRAWL', `${BASE}.httpRequest`],
  ['FLOW.DELAY', `${BASE}.wait`],
  ['HUMAN_IN_THE_LOOP.SLACK_INTERACTION', `${BASE}.slack`],
  ['HUMAN_IN_THE_LOOP.GMAIL_INTERACTION', `${BASE}.gmail`],
  ['HUMAN_IN_THE_LOOP.OUTLOOK_INTERACTION', `${BASE}.microsoftOutlook`],
  ['HUMAN_IN_THE_LOOP.DISCORD_INTERACTION', `${BASE}.discord`],
  ['HUMAN_IN_THE_LOOP.TELEGRAM_INTERACTION', `${BASE}.telegram`],
  ['HUMAN_IN_THE_LOOP.MANUAL_REVIEW', `${BASE}.wait`],
  ['TOOL.FIRECRAWL_MCP_TOOL', `${AI}.mcpClientTool`],
  ['MEMORY.VECTOR_DATABASE', `${AI}.vectorStoreInMemory`],
  ['MEMORY.KEY_VALUE_STORE', `${BASE}.dataTable`],
]);
