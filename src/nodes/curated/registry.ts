import { dataTransformation } from './action/data-transformation.ts';
import { httpRequest } from './action/http-request.ts';
import { anthropicClaude } from './ai-agent/anthropic-claude.ts';
import { googleGemini } from './ai-agent/google-gemini.ts';
import { openAiChatGpt } from './ai-agent/openai-chatgpt.ts';
import { discordAction } from './external-action/discord-action.ts';
import { firecrawlAction } from './external-action/firecrawl.ts';
import { githubAction } from './external-action/github.ts';
import { googleCalendarAction } from './external-action/google-calendar.ts';
import { notionAction } from './external-action/notion.ts';
import { slackAction } from './external-action/slack.ts';
import { telegramAction } from './external-action/telegram-action.ts';
import { delayFlow } from './flow/delay.ts';
import { filterFlow } from './flow/filter.ts';
import { ifFlow } from './flow/if.ts';
import { loopFlow } from './flow/loop.ts';
import { mergeFlow } from './flow/merge.ts';
import { sortFlow } from './flow/sort.ts';
import { waitFlow } from './flow/wait.ts';
import { discordInteraction } from './human-in-the-loop/discord-interaction.ts';
import { gmailInteraction } from './human-in-the-loop/gmail-interaction.ts';
import { manualReview } from './human-in-the-loop/manual-review.ts';
import { outlookInteraction } from './human-in-the-loop/outlook-interaction.ts';
import { slackInteraction } from './human-in-the-loop/slack-interaction.ts';
import { telegramInteraction } from './human-in-the-loop/telegram-interaction.ts';
import { conversationBuffer } from './memory/conversation-buffer.ts';
import { keyValueStore } from './memory/key-value-store.ts';
import { vectorDatabase } from './memory/vector-database.ts';
import type { CuratedSpec } from './spec.ts';
import { discordMcpTool } from './tool/discord-mcp-tool.ts';
import { firecrawlMcpTool } from './tool/firecrawl-mcp-tool.ts';
import { googleCalendarMcpTool } from './tool/google-calendar-mcp-tool.ts';
import { notionMcpTool } from './tool/notion-mcp-tool.ts';
import { slackMcpTool } from './tool/slack-mcp-tool.ts';
import { cronTrigger } from './trigger/cron.ts';
import { emailTrigger } from './trigger/email.ts';
import { githubTrigger } from './trigger/github.ts';
import { manualTrigger } from './trigger/manual.ts';
import { slackTrigger } from './trigger/slack.ts';
import { webhookTrigger } from './trigger/webhook.ts';

/** By `TYPE.SUBTYPE`, in listed order. */
export const curatedSpecs: ReadonlyMap<string, CuratedSpec> = new Map(
  [
    manualTrigger,
    webhookTrigger,
    cronTrigger,
    githubTrigger,
    slackTrigger,
    emailTrigger,
    openAiChatGpt,
    anthropicClaude,
    googleGemini,
    httpRequest,
    dataTransformation,
    slackAction,
    githubAction,
    notionAction,
    googleCalendarAction,
    firecrawlAction,
    discordAction,
    telegramAction,
    ifFlow,
    loopFlow,
    mergeFlow,
    filterFlow,
    sortFlow,
    waitFlow,
    delayFlow,
    slackInteraction,
    gmailInteraction,
    outlookInteraction,
    discordInteraction,
    telegramInteraction,
    manualReview,
    notionMcpTool,
    googleCalendarMcpTool,
    slackMcpTool,
    firecrawlMcpTool,
    discordMcpTool,
    vectorDatabase,
    conversationBuffer,
    keyValueStore,
  ].map((spec) => [`${spec.type}.${spec.subtype}`, spec]),
);

const byNode: ReadonlyMap<string, CuratedSpec> = new Map(
  [...curatedSpecs.values()]
    // Composed agents and stores are good examples of their main node; other composed subtypes are not. If several specs
    // have the same node, the first one wins, hence toReversed.
    .filter(({ names, type }) => names || type === 'AI_AGENT' || type === 'MEMORY')
    .map((spec) => [spec.nodes[0], spec] as const)
    .toReversed(),
);

/** The curated spec of a node, by its n8n name. */
export const specOfNode = (node: string): CuratedSpec | undefined => byNode.get(node);

/** By exact name. Callers correct spelling first. */
export function specFor(type: string, subtype: string): CuratedSpec | undefined {
  return curatedSpecs.get(`${type}.${subtype}`);
}
