/** The kinds of connections in n8n: `main` carries items, the others connect sub-nodes. */
export const connectionKinds = [
  'main',
  'ai_agent',
  'ai_chain',
  'ai_document',
  'ai_embedding',
  'ai_languageModel',
  'ai_memory',
  'ai_outputParser',
  'ai_reranker',
  'ai_retriever',
  'ai_textSplitter',
  'ai_tool',
  'ai_vectorStore',
] as const;

const known: ReadonlySet<string> = new Set(connectionKinds);

export const isKind = (kind: string): boolean => known.has(kind);

const words: ReadonlyMap<string, string> = new Map([
  ['ai_document', 'document loader'],
  ['ai_embedding', 'embeddings'],
  ['ai_languageModel', 'language model'],
  ['ai_memory', 'memory'],
  ['ai_outputParser', 'output parser'],
  ['ai_reranker', 'reranker'],
  ['ai_retriever', 'retriever'],
  ['ai_textSplitter', 'text splitter'],
  ['ai_tool', 'tool'],
  ['ai_vectorStore', 'vector store'],
]);

export function articleOf(kind: string): string {
  const word = words.get(kind) ?? kind;
  if (word.endsWith('s')) return '';
  return /^[aeiou]/.test(word) ? 'an ' : 'a ';
}

/** For a message: `language model (ai_languageModel)`. */
export function kindInWords(kind: string): string {
  const word = words.get(kind);
  return word === undefined ? `"${kind}"` : `${word} (${kind})`;
}
