/**
 * Plausible templates in the shapes of n8n's public library, always the same ones:
 *
 *   const templates = syntheticTemplates(2000);
 */
interface Part {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly does: string;
  readonly credential?: string;
}

const base = 'n8n-nodes-base.';
const ai = '@n8n/n8n-nodes-langchain.';

const triggers: readonly Part[] = [
  { type: `${base}webhook`, version: 2, title: 'Webhook', does: 'When another system calls a webhook' },
  { type: `${base}scheduleTrigger`, version: 1.2, title: 'Schedule Trigger', does: 'Every morning' },
  {
    type: `${base}gmailTrigger`,
    version: 1.2,
    title: 'Gmail Trigger',
    does: 'When an email arrives',
    credential: 'gmailOAuth2',
  },
  { type: `${base}formTrigger`, version: 2.2, title: 'Form Trigger', does: 'When somebody submits a form' },
  {
    type: `${base}telegramTrigger`,
    version: 1.1,
    title: 'Telegram Trigger',
    does: 'When a Telegram message arrives',
    credential: 'telegramApi',
  },
  { type: `${base}manualTrigger`, version: 1, title: 'Manual Trigger', does: 'At the press of a button' },
  {
    type: `${base}githubTrigger`,
    version: 1,
    title: 'Github Trigger',
    does: 'When somebody opens an issue',
    credential: 'githubApi',
  },
  { type: `${ai}chatTrigger`, version: 1.1, title: 'Chat Trigger', does: 'When somebody asks in the chat' },
];

const steps: readonly Part[] = [
  { type: `${base}httpRequest`, version: 4.2, title: 'HTTP Request', does: 'calls an API' },
  { type: `${base}code`, version: 2, title: 'Code', does: 'reshapes the data' },
  { type: `${base}if`, version: 2.2, title: 'If', does: 'checks a condition' },
  { type: `${base}set`, version: 3.4, title: 'Edit Fields', does: 'keeps the fields that matter' },
  {
    type: `${base}openAi`,
    version: 1.1,
    title: 'OpenAI',
    does: 'summarises the text with a language model',
    credential: 'openAiApi',
  },
  { type: `${base}filter`, version: 2.2, title: 'Filter', does: 'removes duplicates' },
  { type: `${base}merge`, version: 3, title: 'Merge', does: 'joins it with other records' },
  { type: `${ai}agent`, version: 1.7, title: 'AI Agent', does: 'lets an agent decide what to do' },
];

const actions: readonly Part[] = [
  { type: `${base}slack`, version: 2.2, title: 'Slack', does: 'posts a message to a channel', credential: 'slackApi' },
  {
    type: `${base}googleSheets`,
    version: 4.5,
    title: 'Google Sheets',
    does: 'appends a row to a spreadsheet',
    credential: 'googleSheetsOAuth2Api',
  },
  { type: `${base}gmail`, version: 2.1, title: 'Gmail', does: 'sends an email', credential: 'gmailOAuth2' },
  {
    type: `${base}notion`,
    version: 2.2,
    title: 'Notion',
    does: 'creates a page in a database',
    credential: 'notionApi',
  },
  {
    type: `${base}airtable`,
    version: 2.1,
    title: 'Airtable',
    does: 'updates a record',
    credential: 'airtableTokenApi',
  },
  {
    type: `${base}postgres`,
    version: 2.5,
    title: 'Postgres',
    does: 'inserts rows into a table',
    credential: 'postgres',
  },
  { type: `${base}hubspot`, version: 2.1, title: 'HubSpot', does: 'creates a contact', credential: 'hubspotAppToken' },
  { type: `${base}discord`, version: 2, title: 'Discord', does: 'tells the community', credential: 'discordBotApi' },
  { type: `${base}telegram`, version: 1.2, title: 'Telegram', does: 'notifies a phone', credential: 'telegramApi' },
  {
    type: `${base}jira`,
    version: 1,
    title: 'Jira Software',
    does: 'opens a ticket',
    credential: 'jiraSoftwareCloudApi',
  },
];

const topics = [
  ['unpaid invoices', 'Finance', 'reminders that nobody has to write by hand'],
  ['new customers', 'Sales', 'a welcome within minutes'],
  ['support requests', 'Support', 'the right person for every question'],
  ['job applications', 'HR', 'an overview of all candidates'],
  ['blog articles', 'Marketing', 'a post for every network'],
  ['server alerts', 'DevOps', 'one place for every warning'],
  ['weather reports', 'Other', 'a forecast before breakfast'],
  ['meeting notes', 'AI', 'a summary with all decisions'],
  ['product reviews', 'Marketing', 'the mood of the buyers'],
  ['expense receipts', 'Finance', 'totals without typing'],
  ['stock levels', 'Sales', 'an order before the shelf is empty'],
  ['pull requests', 'Engineering', 'a review that starts at once'],
  ['video transcripts', 'AI', 'chapters and quotes'],
  ['calendar events', 'Other', 'a plan for the day'],
  ['sensor readings', 'IT Ops', 'a chart and a limit'],
] as const;

/** Always the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface SyntheticTemplate {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly totalViews: number;
  readonly price: number;
  readonly purchaseUrl: string | null;
  readonly createdAt: string;
  readonly user: { readonly id: number; readonly name: string; readonly username: string; readonly verified: boolean };
  readonly nodes: readonly {
    readonly id: number;
    readonly name: string;
    readonly displayName: string;
    readonly icon: string;
    readonly typeVersion: number;
  }[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly workflow: {
    readonly nodes: readonly object[];
    readonly connections: object;
    readonly settings: object;
    readonly pinData: object;
  };
}

export function syntheticTemplates(count: number): SyntheticTemplate[] {
  const next = numbers(20_261);
  const one = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  return Array.from({ length: count }, (_, at) => {
    const trigger = one(triggers);
    const middle = [...new Set([one(steps), one(steps)])];
    const action = one(actions);
    const parts = [trigger, ...middle, action];
    const [topic, category, gives] = one(topics);
    const id = 1000 + at;
    return {
      id,
      name: `${capital(topic)} to ${action.title} with ${middle.map(({ title }) => title).join(' and ')} #${id}`,
      description: `## What it does\n\n${trigger.does}, this workflow reads **${topic}**, ${middle.map(({ does }) => does).join(', ')} and ${action.does}. It gives you ${gives}.\n\n### Set up\n\n1. Connect [${action.title}](https://n8n.io/integrations/${action.title.toLowerCase()}/).\n2. Activate it.`,
      totalViews: Math.floor(200_000 / (at + 1)) + next(50),
      price: at % 9 === 8 ? 10 : 0,
      purchaseUrl: at % 9 === 8 ? 'https://example.com/buy' : null,
      createdAt: new Date(Date.UTC(2024, 0, 1 + next(900))).toISOString(),
      user: { id: next(300), name: `Author ${next(300)}`, username: `author${next(300)}`, verified: next(2) === 1 },
      nodes: parts.map(({ type, title, version }, index) => ({
        id: index + 1,
        name: type,
        displayName: title,
        icon: `file:${title.toLowerCase()}.svg`,
        typeVersion: Math.floor(version),
      })),
      categories: [{ id: 1, name: category }],
      workflow: workflowOf(parts, topic),
    };
  });
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function workflowOf(parts: readonly Part[], topic: string): SyntheticTemplate['workflow'] {
  const nodes = parts.map(({ type, version, title, credential }, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    name: title,
    type,
    typeVersion: version,
    position: [at * 220, 0],
    parameters: {},
    ...(credential !== undefined && { credentials: { [credential]: { id: 'x1', name: 'Of the author' } } }),
  }));
  const sticky = {
    id: '00000000-0000-4000-8000-00000000ffff',
    name: 'Sticky Note',
    type: `${base}stickyNote`,
    typeVersion: 1,
    position: [-300, -200],
    parameters: { content: `## How to use\nConnect your accounts, then test it with a few ${topic}.` },
  };
  const links = parts
    .slice(1)
    .map(({ title }, at) => [parts[at]?.title ?? '', { main: [[{ node: title, type: 'main', index: 0 }]] }]);
  return {
    nodes: [...nodes, sticky],
    connections: Object.fromEntries(links) as object,
    settings: { executionOrder: 'v1' },
    pinData: {},
  };
}
