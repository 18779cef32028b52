/** A typical workflow of this many nodes: branches, loops, expressions, code, a few services. */
export function workflowOf(size: number): {
  name: string;
  nodes: BenchNode[];
  connections: Connections;
  settings: object;
} {
  const nodes: BenchNode[] = [];
  const connections: Connections = {};
  const connect = (source: string, output: number, target: string, input = 0) => {
    const main = ((connections[source] ??= { main: [] }).main ??= []);
    while (main.length <= output) main.push([]);
    main[output]?.push({ node: target, type: 'main', index: input });
  };
  let last: { name: string; output: number } | undefined;
  for (let index = 0; index < size; index++) {
    const kind = index === 0 ? trigger : (kinds[(index - 1) % kinds.length] as Kind);
    const name = `${kind.called} ${index}`;
    nodes.push({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      name,
      type: `n8n-nodes-base.${kind.type}`,
      typeVersion: kind.version,
      position: [(index % 40) * 220, Math.floor(index / 40) * 200],
      parameters: kind.parameters(last?.name ?? ''),
      ...(kind.credentials && { credentials: kind.credentials }),
    });
    if (last) connect(last.name, last.output, name);
    // Leave every second condition through its second output.
    last = { name, output: kind.type === 'if' && index % 2 === 0 ? 1 : 0 };
  }
  return { name: `${size} nodes`, nodes, connections, settings: { executionOrder: 'v1' } };
}

export interface BenchNode {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: number[];
  parameters: Record<string, unknown>;
  credentials?: object;
}

type Connections = Record<string, { main: { node: string; type: string; index: number }[][] }>;

interface Kind {
  readonly called: string;
  readonly type: string;
  readonly version: number;
  readonly credentials?: object;
  parameters(before: string): Record<string, unknown>;
}

const trigger: Kind = {
  called: 'Every hour',
  type: 'scheduleTrigger',
  version: 1.2,
  parameters: () => ({ rule: { interval: [{ field: 'cronExpression', expression: '0 7-19 * * 1-5' }] } }),
};

const kinds: readonly Kind[] = [
  {
    called: 'Fetch',
    type: 'httpRequest',
    version: 4.2,
    parameters: (before) => ({
      method: 'POST',
      url: `=https://api.example.com/orders/{{ $('${before}').item.json.id }}`,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'Accept', value: 'application/json' }] },
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={\n  "customer": "{{ $json.customer }}",\n  "amount": {{ $json.amount }}\n}',
      options: { timeout: 10000 },
    }),
  },
  {
    called: 'Keep',
    type: 'set',
    version: 3.4,
    parameters: () => ({
      assignments: {
        assignments: ['total', 'name', 'when'].map((name, index) => ({
          id: `a${index}`,
          name,
          type: 'string',
          value: `={{ $json.${name} ?? $now.toISO() }}`,
        })),
      },
      options: {},
    }),
  },
  {
    called: 'Large',
    type: 'if',
    version: 2.2,
    parameters: () => ({
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        conditions: [
          { id: 'c', leftValue: '={{ $json.total }}', rightValue: 100, operator: { type: 'number', operation: 'gt' } },
        ],
        combinator: 'and',
      },
      options: {},
    }),
  },
  {
    called: 'Count',
    type: 'code',
    version: 2,
    parameters: (before) => ({
      jsCode: `const before = $('${before}').all();\nreturn $input.all().map(({ json }, index) => ({\n  json: { ...json, index, of: before.length },\n}));`,
    }),
  },
  {
    called: 'Tell',
    type: 'slack',
    version: 2.2,
    credentials: { slackApi: { id: '1', name: 'Slack' } },
    parameters: () => ({
      select: 'channel',
      channelId: { __rl: true, mode: 'name', value: '#orders' },
      text: '=Order {{ $json.id }} of {{ $json.customer }}: {{ $json.total.toFixed(2) }}',
      otherOptions: {},
    }),
  },
];
