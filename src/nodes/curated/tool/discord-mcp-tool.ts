import { agentTool, chosenByAgent } from './agent-tool.ts';

export const discordMcpTool = agentTool({
  subtype: 'DISCORD_MCP_TOOL',
  node: 'n8n-nodes-base.discordTool',
  name: 'Post to Discord',
  description: "Lets an agent post to a Discord channel: n8n's Discord node as a tool.",
  credential: 'Needs a credential of type discordBotApi.',
  configurations: {
    server: {
      type: 'string',
      description: 'Id of the server',
      required: true,
      default: '',
      validationPattern: '^\\d+$',
      at: 'Post to Discord: guildId.value',
    },
    channel: {
      type: 'string',
      description: 'Channel id; fixed, so that the agent cannot choose another',
      required: true,
      default: '',
      validationPattern: '^\\d+$',
      at: 'Post to Discord: channelId.value',
    },
  },
  inputParams: { content: { type: 'string', description: 'The text the agent posts', required: true, default: '' } },
  outputParams: { id: { type: 'string', description: 'Id of the message' } },
  parameters: {
    descriptionType: 'manual',
    toolDescription: 'Posts a message to the Discord channel of the community.',
    authentication: 'botToken',
    resource: 'message',
    operation: 'send',
    guildId: { __rl: true, mode: 'id', value: '' },
    sendTo: 'channel',
    channelId: { __rl: true, mode: 'id', value: '' },
    content: chosenByAgent('content', 'The message, at most 2000 characters'),
    options: {},
  },
  tags: ['discord', 'chat', 'message'],
  example: {
    name: 'Answer the community',
    description: 'The agent posts its answer.',
    configurations: { server: '123456789012345678', channel: '234567890123456789' },
    input: { content: 'Version 2 runs on Node 24.' },
    output: { id: '345678901234567890' },
  },
});
