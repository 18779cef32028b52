/** The subtypes that we describe ourselves, in the order in which they are listed. `registry.ts` holds what they say. */
export const curatedNames = {
  TRIGGER: ['MANUAL', 'WEBHOOK', 'CRON', 'GITHUB', 'SLACK', 'EMAIL'],
  AI_AGENT: ['OPENAI_CHATGPT', 'ANTHROPIC_CLAUDE', 'GOOGLE_GEMINI'],
  ACTION: ['HTTP_REQUEST', 'DATA_TRANSFORMATION'],
  EXTERNAL_ACTION: ['SLACK', 'GITHUB', 'NOTION', 'GOOGLE_CALENDAR', 'FIRECRAWL', 'DISCORD_ACTION', 'TELEGRAM_ACTION'],
  FLOW: ['IF', 'LOOP', 'MERGE', 'FILTER', 'SORT', 'WAIT', 'DELAY'],
  HUMAN_IN_THE_LOOP: [
    'SLACK_INTERACTION',
    'GMAIL_INTERACTION',
    'OUTLOOK_INTERACTION',
    'DISCORD_INTERACTION',
    'TELEGRAM_INTERACTION',
    'MANUAL_REVIEW',
  ],
  TOOL: ['NOTION_MCP_TOOL', 'GOOGLE_CALENDAR_MCP_TOOL', 'SLACK_MCP_TOOL', 'FIRECRAWL_MCP_TOOL', 'DISCORD_MCP_TOOL'],
  MEMORY: ['VECTOR_DATABASE', 'CONVERSATION_BUFFER', 'KEY_VALUE_STORE'],
} as const satisfies Record<string, readonly string[]>;

/**
 * Nodes whose name among the subtypes is not simply their own. The names that everyone uses win: `TRIGGER.CRON` is
 * n8n's schedule trigger, so the node that n8n calls `cron`, which it keeps for old workflows only, has to give way.
 */
export const givenNames: ReadonlyMap<string, string> = new Map([
  ['n8n-nodes-base.scheduleTrigger', 'CRON'],
  ['n8n-nodes-base.cron', 'CRON_DEPRECATED'],
  ['n8n-nodes-base.emailReadImap', 'EMAIL'],
  // As an agent's model Gemini is AI_AGENT.GOOGLE_GEMINI; this one is called without an agent.
  ['@n8n/n8n-nodes-langchain.googleGemini', 'GOOGLE_GEMINI_API'],
  ['n8n-nodes-base.set', 'DATA_TRANSFORMATION'],
  ['n8n-nodes-base.discord', 'DISCORD_ACTION'],
  ['n8n-nodes-base.telegram', 'TELEGRAM_ACTION'],
  ['n8n-nodes-base.splitInBatches', 'LOOP'],
  ['n8n-nodes-base.notionTool', 'NOTION_MCP_TOOL'],
  ['n8n-nodes-base.googleCalendarTool', 'GOOGLE_CALENDAR_MCP_TOOL'],
  ['n8n-nodes-base.slackTool', 'SLACK_MCP_TOOL'],
  ['n8n-nodes-base.discordTool', 'DISCORD_MCP_TOOL'],
  ['@n8n/n8n-nodes-langchain.memoryBufferWindow', 'CONVERSATION_BUFFER'],
]);
