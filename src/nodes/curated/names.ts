/** The curated subtypes in listed order. Their texts are in `registry.ts`. */
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
 * Nodes whose subtype does not follow from their name. Common names win: `TRIGGER.CRON` is n8n's schedule trigger, so n8n's
 * deprecated node `cron` gets another subtype.
 */
export const givenNames: ReadonlyMap<string, string> = new Map([
  ['n8n-nodes-base.scheduleTrigger', 'CRON'],
  ['n8n-nodes-base.cron', 'CRON_DEPRECATED'],
  ['n8n-nodes-base.emailReadImap', 'EMAIL'],
  // AI_AGENT.GOOGLE_GEMINI is an agent with Gemini as its model. This node is used without an agent.
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
