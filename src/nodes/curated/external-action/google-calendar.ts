import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.googleCalendar';

export const googleCalendarAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'GOOGLE_CALENDAR',
  nodes: [NODE],
  names: true,
  description: 'Creates, reads, changes and deletes events in Google Calendar, and checks whether a time is free.',
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
      description: 'For resource event; resource calendar has only availability',
      default: 'create',
      options: ['create', 'get', 'getAll', 'update', 'delete', 'availability'],
      at: 'Google Calendar: operation',
    },
    calendar: {
      type: 'string',
      description: 'Calendar id: primary, or an email address',
      required: true,
      default: 'primary',
      at: 'Google Calendar: calendar.value',
    },
    start: {
      type: 'string',
      description: 'Start time, ISO 8601',
      required: true,
      default: '={{ $json.start }}',
      at: 'Google Calendar: start',
    },
    end: {
      type: 'string',
      description: 'End time, ISO 8601',
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
    htmlLink: { type: 'string', description: 'URL of the event' },
    status: { type: 'string', description: 'confirmed, tentative or cancelled' },
  },
  inputPorts: [itemsIn('Google Calendar', 'One call for each item')],
  outputPorts: [itemsOut('Google Calendar', "Google's response; with getAll one item per event")],
  tags: ['google', 'calendar', 'event', 'meeting', 'appointment', 'schedule'],
  examples: [
    {
      name: 'Create an appointment',
      description: 'From a booking form.',
      configurations: { calendar: 'primary', summary: '=Call with {{ $json.name }}' },
      input: { name: 'Ada', start: '2027-01-12T10:00:00Z', end: '2027-01-12T10:30:00Z' },
      output: { id: 'abc123', status: 'confirmed' },
    },
  ],
  guidance: 'Needs a credential (googleCalendarOAuth2Api). Times without a zone use the time zone of the workflow.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Google Calendar',
        parameters: {
          resource: 'event',
          operation: 'create',
          // Mode list, because mode id accepts only an email address.
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
