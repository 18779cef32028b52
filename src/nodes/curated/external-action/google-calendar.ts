import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.googleCalendar';

export const googleCalendarAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'GOOGLE_CALENDAR',
  nodes: [NODE],
  names: true,
  description: 'Makes, reads, changes and deletes events in Google Calendar, and says whether a time is free.',
  configurations: {
    resource: {
      type: 'string',
      description: 'An event, or the calendar itself (is a time free?)',
      default: 'event',
      options: ['event', 'calendar'],
      at: 'Google Calendar: resource',
    },
    operation: {
      type: 'string',
      description: 'For an event; the calendar knows availability alone',
      default: 'create',
      options: ['create', 'get', 'getAll', 'update', 'delete', 'availability'],
      at: 'Google Calendar: operation',
    },
    calendar: {
      type: 'string',
      description: 'Id of the calendar: primary, or an address',
      required: true,
      default: 'primary',
      at: 'Google Calendar: calendar.value',
    },
    start: {
      type: 'string',
      description: 'When it begins, ISO 8601',
      required: true,
      default: '={{ $json.start }}',
      at: 'Google Calendar: start',
    },
    end: {
      type: 'string',
      description: 'When it ends, ISO 8601',
      required: true,
      default: '={{ $json.end }}',
      at: 'Google Calendar: end',
    },
    summary: {
      type: 'string',
      description: 'Title of the event',
      default: '={{ $json.summary }}',
      at: 'Google Calendar: additionalFields.summary',
    },
  },
  inputParams: {
    summary: { type: 'string', description: 'Title of the event', default: '' },
    start: { type: 'string', description: 'ISO 8601', required: true, default: '' },
    end: { type: 'string', description: 'ISO 8601', required: true, default: '' },
  },
  outputParams: {
    id: { type: 'string', description: 'Id of the event' },
    htmlLink: { type: 'string', description: 'Where to see it' },
    status: { type: 'string', description: 'confirmed, tentative or cancelled' },
  },
  inputPorts: [itemsIn('Google Calendar', 'One call for each item')],
  outputPorts: [itemsOut('Google Calendar', "Google's answer; one item for each event with getAll")],
  tags: ['google', 'calendar', 'event', 'meeting', 'appointment', 'schedule'],
  examples: [
    {
      name: 'Enter an appointment',
      description: 'From a booking form.',
      configurations: { calendar: 'primary', summary: '=Call with {{ $json.name }}' },
      input: { name: 'Ada', start: '2027-01-12T10:00:00Z', end: '2027-01-12T10:30:00Z' },
      output: { id: 'abc123', status: 'confirmed' },
    },
  ],
  guidance: 'Needs a credential (googleCalendarOAuth2Api). Times without a zone are read in that of the workflow.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Google Calendar',
        parameters: {
          resource: 'event',
          operation: 'create',
          // Chosen from the list: by id n8n takes nothing but an address.
          calendar: { __rl: true, mode: 'list', value: 'primary' },
          start: '={{ $json.start }}',
          end: '={{ $json.end }}',
          additionalFields: { summary: '={{ $json.summary }}' },
        },
      }),
    ],
    connections: {},
  }),
};
