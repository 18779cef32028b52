import type { Catalogue } from '../catalogue.ts';
import { configured, visibleProperties } from '../configuration/configuration.ts';
import type { NodeDescription, Port, Property } from '../description.ts';
import { connected, type Fragment, type FragmentNode, fragmentNode, type Wire } from './fragment.ts';
import { inputsOf, outputsOf } from '../configuration/ports.ts';
import { startOf, type ValueSource } from './start-values.ts';

type Values = Readonly<Record<string, unknown>>;

const AI = '@n8n/n8n-nodes-langchain';

/** Placeholders for required attachments: the simplest node of each kind. The user replaces them. */
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

/** Enough for a retriever on a vector store on embeddings, the deepest real case. */
const DEEPEST = 4;

/**
 * The smallest workflow fragment with this node. Parameters that `parameters` (usually resource and operation) makes
 * required get n8n's defaults, and required sub-nodes, such as the model of an agent, are attached.
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

/** n8n's default name, with a number if it is taken. */
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

/** Types that a user does not set: they only display something, or n8n fills them in. */
const unset = new Set(['notice', 'callout', 'hidden', 'button', 'curlImport', 'credentials']);

/** Parameters that nodes need although n8n does not mark them as required. */
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

/** A tool gets its values from the model, a node with an input from the items. Triggers and sub-nodes get none. */
function sourceOf(description: NodeDescription, type: string, given: Values, version: number): ValueSource {
  const outputs = outputsOf(description, given, version) ?? [];
  if (type.endsWith('Tool') && outputs.some((port) => port.type === 'ai_tool')) return 'model';
  const takes = (inputsOf(description, given, version) ?? []).some((port) => port.type === 'main');
  return takes ? 'item' : 'nowhere';
}

function withRequired(description: NodeDescription, given: Values, version: number, source: ValueSource): Values {
  const set: Record<string, unknown> = { ...given };
  // One value may make another parameter appear that is required: the channel, once the target is "channel".
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

/** Gives a webhook a unique path, as n8n's editor does. */
function addressed(node: FragmentNode, description: NodeDescription | undefined): FragmentNode {
  if (node.webhookId === undefined || !description || node.parameters.path) return node;
  const asks = visibleProperties(description, node.parameters, node.typeVersion).some(
    ({ name, type, default: value }) => name === 'path' && type === 'string' && !value,
  );
  return asks ? { ...node, parameters: { ...node.parameters, path: node.webhookId } } : node;
}
