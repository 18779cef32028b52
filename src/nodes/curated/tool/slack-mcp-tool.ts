import { agentTool, chosenByAgent } from './agent-tool.ts';

export const slackMcpTool = agentTool({
  subtype: 'SLACK_MCP_TOOL',
  node: 'n8n-nodes-base.slackTool',
  name: 'Post to Slack',
  description: "Lets an agent post to a Slack channel: n8n's Slack node as a tool.",
  credential: 'Needs a credential of type slackApi. The app must be in the channel.',
  configurations: {
    operation: {
      type: 'string',
      description: 'What to do with messages. A tool has one operation: add a tool for each',
      default: 'post',
      options: ['post', 'update', 'delete', 'search', 'getPermalink'],
      at: 'Post to Slack: operation',
    },
    channel: {
      type: 'string',
      description: 'Name of the channel, with #; fixed, so that the agent cannot choose another',
      required: true,
      default: '#general',
      at: 'Post to Slack: channelId.value',
    },
  },
  inputParams: { text: { type: 'string', description: 'The text the agent posts', required: true, default: '' } },
  outputParams: {
    ok: { type: 'boolean', description: 'Whether Slack accepted it' },
    message_timestamp: { type: 'string', description: 'Id of the message' },
  },
  parameters: {
    descriptionType: 'manual',
    toolDescription: 'Posts a message to the Slack channel of the team.',
    resource: 'message',
    operation: 'post',
    select: 'channel',
    channelId: { __rl: true, mode: 'name', value: '#general' },
    messageType: 'text',
    text: chosenByAgent('text', 'The message, in Slack markup'),
    otherOptions: {},
  },
  tags: ['slack', 'chat', 'message'],
  example: {
    name: 'Report what was done',
    description: 'The agent posts a summary when it is done.',
    configurations: { channel: '#support' },
    input: { text: 'Three tickets answered, one handed over to Ada.' },
    output: { ok: true, message_timestamp: '1718000000.000100' },
  },
  remark: 'To have a person approve each call, put HUMAN_IN_THE_LOOP.SLACK_HITL_TOOL between this tool and the agent.',
});
