import type { Backend } from './backends/backend.ts';
import type { Projection } from './exposure/exposure.ts';
import { wrapperName } from './names.ts';

/** Characters of all instructions together; those of the servers are cut there. */
const LONGEST = 4000;
const MOST_NAMED = 20;

type Listed = Projection['sources'][number];

/** The instructions for a client: what is connected, how to find a tool, and how to work best with each source. */
export function instructionsFor(projection: Projection, backends: readonly Backend[]): { instructions?: string } {
  const servers = new Map(backends.map((backend) => [backend.name, backend]));
  const [only, ...others] = projection.sources;
  const through = only && others.length === 0 && isTransparent(only) ? servers.get(only.source.id) : undefined;
  // A client that sees only one transparent server gets that server's own instructions.
  if (through) return said(through.catalogue?.instructions ?? '');
  const theirs = backends.flatMap(({ name, catalogue }) =>
    catalogue?.instructions ? [`## ${name}\n${catalogue.instructions.trim()}`] : [],
  );
  return said([...ours(projection, servers), ...theirs].join('\n\n').slice(0, LONGEST));
}

const said = (instructions: string) => (instructions === '' ? {} : { instructions });

const isTransparent = ({ source, exposure }: Listed) => source.prefix === '' && exposure === 'flat';

function ours(projection: Projection, servers: ReadonlyMap<string, Backend>): string[] {
  const { find } = projection;
  // n8n comes first.
  const sources = projection.sources.toSorted((a, b) => Number(b.source.id === 'n8n') - Number(a.source.id === 'n8n'));
  const guides = sources
    .flatMap(({ source }) => source.guide?.() ?? [])
    .flatMap((text) => visiblePart(text, (tool) => find(tool) !== undefined));
  const status = find('gateway_status') ? ['`gateway_status` shows the state of everything.'] : [];
  const behind = whatThereIs(sources, servers);
  return [
    behind.length === 0 ? 'Sluice is a gateway.' : ['Sluice is a gateway. Behind it:', ...behind].join('\n'),
    ...paragraph([...howToFind({ ...projection, sources }), ...status].join(' ')),
    ...paragraph(guides.map((text) => `- ${text}`).join('\n')),
  ];
}

/** The sentences whose tools a client sees. Nothing without the first sentence: the others build on it. */
function visiblePart(text: string, isSeen: (tool: string) => boolean): string[] {
  const sentences = text.split(/(?<=\.) /);
  const seen = sentences.map((one) => [...one.matchAll(/`([a-z][a-z0-9_]+)/g)].every(([, tool = '']) => isSeen(tool)));
  return seen[0] ? [sentences.filter((_, at) => seen[at]).join(' ')] : [];
}

const paragraph = (text: string) => (text === '' ? [] : [text]);

function whatThereIs(sources: readonly Listed[], servers: ReadonlyMap<string, Backend>): string[] {
  const own = sources.filter(({ source }) => source.guide && !servers.has(source.id));
  const named = sources.flatMap(({ source }) => (servers.has(source.id) ? [source.id] : []));
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : '';
  return [
    ...own.map(({ source }) => `- ${source.description ?? source.id}`),
    ...(named.length > 0 ? [`- MCP servers: ${named.slice(0, MOST_NAMED).join(', ')}${more}`] : []),
  ];
}

/** A source of ours without a guide gets its description here: it is named nowhere else. */
const saidOf = ({ id, prefix, guide, description }: Listed['source']): string =>
  prefix === '' && !guide && description !== undefined ? `${id} (${description})` : id;

/** Explains the pattern of compact sources once, with the first source as the example. */
function howToFind({ sources, wrapper }: Pick<Projection, 'sources' | 'wrapper'>): string[] {
  const listed = (how: Listed['exposure']) => sources.filter(({ exposure }) => exposure === how);
  const [first, ...rest] = listed('compact').map(({ source }) => ({ id: source.id, said: saidOf(source) }));
  const named = (does: 'list' | 'call' | 'read') => wrapperName(first?.id ?? '', does);
  const reads = wrapper(named('read')) ? ` (\`${named('read')}\` for those that only read)` : '';
  const others = rest.slice(0, MOST_NAMED).map(({ said }) => said);
  const alike = others.length === 0 ? '' : ` The same goes for ${others.join(', ')}.`;
  return [
    ...(first === undefined
      ? []
      : [
          `Tools of ${first.said}: \`${named('list')} {query: "what you want to do"}\` finds one, \`${named('list')} {tool}\` shows its parameters, \`${named('call')} {tool, params}\` calls it${reads}.${alike}`,
        ]),
    ...(listed('search').length > 0
      ? [
          '`find_tools {query: "what you want to do"}` finds a tool, `describe_tools {names}` shows its parameters, `call_tool {name, arguments}` calls it.',
        ]
      : []),
    ...(listed('flat').some(({ source }) => source.prefix !== '')
      ? ['A tool of a server is named <server>__<tool>.']
      : []),
  ];
}
