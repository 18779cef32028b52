/** Nodes to suggest first for each kind of attachment, in the short form that `wholeName` expands. */
export const preferred: ReadonlyMap<string, readonly string[]> = new Map([
  ['ai_languageModel', ['ai:lmChatOpenAi', 'ai:lmChatAnthropic', 'ai:lmChatGoogleGemini', 'ai:lmChatOllama']],
  ['ai_memory', ['ai:memoryBufferWindow', 'ai:memoryPostgresChat', 'ai:memoryRedisChat']],
  ['ai_tool', ['httpRequestTool', 'ai:toolWorkflow', 'ai:toolCode', 'ai:mcpClientTool', 'ai:toolCalculator']],
  ['ai_outputParser', ['ai:outputParserStructured', 'ai:outputParserAutofixing']],
  ['ai_embedding', ['ai:embeddingsOpenAi', 'ai:embeddingsGoogleGemini', 'ai:embeddingsOllama']],
  [
    'ai_vectorStore',
    ['ai:vectorStoreInMemory', 'ai:vectorStorePGVector', 'ai:vectorStoreQdrant', 'ai:vectorStorePinecone'],
  ],
  ['ai_document', ['ai:documentDefaultDataLoader']],
  ['ai_textSplitter', ['ai:textSplitterRecursiveCharacterTextSplitter', 'ai:textSplitterTokenSplitter']],
  ['ai_retriever', ['ai:retrieverVectorStore', 'ai:retrieverMultiQuery', 'ai:retrieverWorkflow']],
  ['ai_reranker', ['ai:rerankerCohere']],
]);

/** Nodes to suggest first as the host of an attachment. */
export const hosts: readonly string[] = [
  'ai:agent',
  'ai:chainLlm',
  'ai:mcpTrigger',
  'ai:chainRetrievalQa',
  'ai:vectorStoreInMemory',
  'ai:documentDefaultDataLoader',
  'ai:retrieverVectorStore',
  'ai:toolVectorStore',
];

/** What each kind of attachment is for. */
export const purposes: ReadonlyMap<string, string> = new Map([
  ['ai_languageModel', 'the model that answers'],
  ['ai_memory', 'remembers the conversation'],
  ['ai_tool', 'what the model may call'],
  ['ai_outputParser', 'makes the answer follow a schema'],
  ['ai_embedding', 'turns text into vectors'],
  ['ai_vectorStore', 'keeps and finds text by meaning'],
  ['ai_document', 'loads the text to store'],
  ['ai_textSplitter', 'cuts long text into pieces'],
  ['ai_retriever', 'finds the text for a question'],
  ['ai_reranker', 'sorts the results by relevance'],
]);
