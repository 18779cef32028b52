import type { Catalogue } from '../catalogue.ts';
import { configured, visibleProperties } from '../configuration/configuration.ts';
import type { NodeDescription, Port, Property } from '../description.ts';
import { connected, type Fragment, type FragmentNode, fragmentNode, type Wire } from './fragment.ts';
import { inputsOf, outputsOf } from '../configuration/ports.ts';
import { startOf, type ValueSource } from './start-values.ts';

type Values = Readonly<Record<string, unknown>>;

const AI = '@n8n/n8n-nodes-langchain';

/** What stands in where a node cannot do without: the plainest of each kind, to be replaced by what is wanted. */
const standIns: ReadonlyMap<string, string> = new Map([
  ['ai_languageModel', `${AI}.lmChatOpenAi`],
  ['ai_embedding', `${AI}.embeddingsOpenAi`],
  ['ai_vectorStore', `${AI}.vectorStoreInMemory`],
  ['ai_retriever', `${AI}.retrieverVectorStore`],
  ['ai_document', `${AI}.documentDefaultDataLoader`],
  ['ai_textSplitter', `${AI}.textSplitterRecursiveCharacterTextSplitter`],
  ['ai_memory', `${AI}.memoryBufferWindow`],
  ['ai_tool', `${AI}.toolCalculator`],
  ['ai_outputParser', `${AI}.outputParserStructured`],
  ['ai_reranker', `${AI}.rerankerCohere`],
]);

/** A retriever on a vector store on embeddings is as deep as it gets. */
const DEEPEST = 4;

/**
 * The least of a workflow with this node in it: what must be set for `parameters` (resource and operation, mostly) is set
 * to n8n's defaults, and what it cannot be without, such as the model of an agent, is attached.
 */
export function fragmentFor(catalogue: Catalogue, name: string, parameters: Values = {}, version?: number): Fragment {
  const nodes: FragmentNode[] = [];
  const wires: Wire[] = [];
  const add = (type: string, given: Values, at: readonly [number, number], chosen?: number, depth = 0): string => {
    const description = catalogue.description(type, chosen);
    const title = unused(description?.defaults?.name ?? catalogue.node(type)?.title ?? type, nodes);
    const typeVersion = chosen ?? catalogue.node(type)?.latest;
    const set = description && typeVersion !== undefined ? filled(description, type, given, typeVersion) : given;
    const node = fragmentNode(catalogue, type, {
      name: title,
      ...(chosen !== undefined && { version: chosen }),
      parameters: set,
      position: at,
    });
    nodes.push(addressed(node, description));
    if (!description || depth >= DEEPEST) return title;
    const needs = (inputsOf(description, set, node.typeVersion) ?? []).filter(({ required }) => required === true);
    for (const [index, port] of needs.entries()) {
      const standIn = standInFor(catalogue, port);
      if (standIn === undefined) continue;
      const below = add(standIn, {}, [at[0] + index * 180 - 40, at[1] + 220], undefined, depth + 1);
      wires.push({ from: below, to: title, type: port.type });
    }
    return title;
  };
  add(name, parameters, [0, 0], version);
  return { nodes, connections: connected(...wires) };
}

/** Under the names that n8n gives, numbered where there is one already. */
function unused(title: string, nodes: readonly FragmentNode[]): string {
  const taken = new Set(nodes.map(({ name }) => name));
  let name = title;
  for (let count = 1; taken.has(name); count += 1) name = `${title}${count}`;
  return name;
}

function standInFor(catalogue: Catalogue, { type, filter }: Port): string | undefined {
  const usual = standIns.get(type);
  const wanted = filter?.nodes ?? (usual === undefined ? [] : [usual]);
  const allowed = wanted.filter((one) => catalogue.node(one) && !filter?.excludedNodes?.includes(one));
  return usual !== undefined && allowed.includes(usual) ? usual : allowed[0];
}

/** Nothing that is set by a user: what only says something, or what n8n fills in by itself. */
const unset = new Set(['notice', 'callout', 'hidden', 'button', 'curlImport', 'credentials']);

/** What nodes cannot do without though n8n does not call it required. */
const needed: ReadonlyMap<string, Values> = new Map<string, Values>([
  ['n8n-nodes-base.aggregate', { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'id' }] } }],
  ['n8n-nodes-base.code', { jsCode: 'return $input.all();' }],
  ['n8n-nodes-base.compareDatasets', { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } }],
  ['n8n-nodes-base.summarize', { fieldsToSummarize: { values: [{ aggregation: 'count', field: 'id' }] } }],
  ['n8n-nodes-base.executeWorkflowTrigger', { inputSource: 'passthrough' }],
  [
    'n8n-nodes-base.formTrigger',
    {
      formTitle: 'Contact us',
      formFields: { values: [{ fieldLabel: 'Email', fieldType: 'email', requiredField: true }] },
    },
  ],
  [
    `${AI}.informationExtractor`,
    { attributes: { attributes: [{ name: 'name', description: 'The name of the person', required: false }] } },
  ],
]);

function filled(description: NodeDescription, type: string, given: Values, version: number): Values {
  const source = sourceOf(description, type, given, version);
  const extra = Object.entries(needed.get(type) ?? {}).filter(
    ([name, value]) =>
      !Object.hasOwn(given, name) &&
      configured(description, { ...given, [name]: value }, version)
        .properties()
        .some((shown) => shown.name === name),
  );
  return withRequired(description, { ...given, ...Object.fromEntries(extra) }, version, source);
}

/** A tool gets its values from the model, a node in the middle from the items; a trigger and a sub-node from nobody. */
function sourceOf(description: NodeDescription, type: string, given: Values, version: number): ValueSource {
  const outputs = outputsOf(description, given, version) ?? [];
  if (type.endsWith('Tool') && outputs.some((port) => port.type === 'ai_tool')) return 'model';
  const takes = (inputsOf(description, given, version) ?? []).some((port) => port.type === 'main');
  return takes ? 'item' : 'nowhere';
}

function withRequired(description: NodeDescription, given: Values, version: number, source: ValueSource): Values {
  const set: Record<string, unknown> = { ...given };
  // What one sets may show another that must be set: the channel, once it is said that the message goes to one.
  for (let more = true; more; ) {
    const missing = visibleProperties(description, set, version).filter((property) => isMissing(property, set));
    more = missing.length > 0;
    for (const property of missing.slice(0, 1)) set[property.name] = startOf(property, source);
  }
  return set;
}

function isMissing({ name, type, required, options }: Property, set: Values): boolean {
  if (Object.hasOwn(set, name) || unset.has(type)) return false;
  return required === true || ((name === 'resource' || name === 'operation') && (options?.length ?? 0) > 0);
}

/** n8n's editor gives every webhook a path of its own. */
function addressed(node: FragmentNode, description: NodeDescription | undefined): FragmentNode {
  if (node.webhookId === undefined || !description || node.parameters.path) return node;
  const asks = visibleProperties(description, node.parameters, node.typeVersion).some(
    ({ name, type, default: value }) => name === 'path' && type === 'string' && !value,
  );
  return asks ? { ...node, parameters: { ...node.parameters, path: node.webhookId } } : node;
}
