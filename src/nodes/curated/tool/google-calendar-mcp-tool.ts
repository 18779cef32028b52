import { agentTool, chosenByAgent } from './agent-tool.ts';

export const googleCalendarMcpTool = agentTool({
  subtype: 'GOOGLE_CALENDAR_MCP_TOOL',
  node: 'n8n-nodes-base.googleCalendarTool',
  name: 'Create Calendar Event',
  description: "Lets an agent create appointments in Google Calendar: n8n's Google Calendar node as a tool.",
  credential: 'Needs a credential of type googleCalendarOAuth2Api.',
  configurations: {
    operation: {
      type: 'string',
      description:
        'What the tool does. A tool has one operation: add a second tool with getAll to let the agent look first',
      default: 'create',
      options: ['create', 'get', 'getAll', 'update', 'delete'],
      at: 'Create Calendar Event: operation',
    },
    calendar: {
      type: 'string',
      description: 'Calendar id: primary, or an email address',
      required: true,
      default: 'primary',
      at: 'Create Calendar Event: calendar.value',
    },
  },
  inputParams: {
    summary: { type: 'string', description: 'Title of the event', required: true, default: '' },
    start: { type: 'string', description: 'Start time, ISO 8601', required: true, default: '' },
    end: { type: 'string', description: 'End time, ISO 8601', required: true, default: '' },
  },
  outputParams: {
    id: { type: 'string', description: 'Id of the event' },
    htmlLink: { type: 'string', description: 'URL of the event' },
  },
  parameters: {
    descriptionType: 'manual',
    toolDescription: 'Creates an event in the calendar.',
    resource: 'event',
    operation: 'create',
    calendar: { __rl: true, mode: 'list', value: 'primary' },
    start: chosenByAgent('start', 'When the event begins, in ISO 8601 with the time zone'),
    end: chosenByAgent('end', 'When the event ends, in ISO 8601 with the time zone'),
    additionalFields: { summary: chosenByAgent('summary', 'Title of the event') },
  },
  tags: ['google', 'calendar', 'event'],
  example: {
    name: 'An assistant that makes appointments',
    description: 'The agent turns "tomorrow at ten with Ada" into an event.',
    configurations: { calendar: 'primary' },
    input: { summary: 'Ada', start: '2027-01-12T10:00:00Z', end: '2027-01-12T10:30:00Z' },
    output: { id: 'abc123' },
  },
  remark: 'Tell the agent in its system prompt which day it is: {{ $now }}.',
});
