/** Phrases for AI nodes. The format is explained in flow.ts. */
export const ai = `
@agent: agent | ai agent | autonomous | assistant | assistant with tools | use tools | tool calling | function calling | decide by itself | reasoning | ai that can act | conversational agent | intelligent assistant | multi step reasoning | bot that thinks | chatbot | chat bot | ai assistant | llm with tools | plan and act | personal assistant
@agentTool: agent as a tool | sub agent | agent calls another agent | multi agent | hand over to another agent | specialised agent | orchestrator of agents
@chainLlm: prompt | llm | call a language model | llm chain | simple prompt | ask an llm | generate text | text generation | write a text with ai | completion | rewrite a text | draft a reply with ai | language model without tools | just a prompt | one prompt | rephrase | generate a product description
@openAi: openai | chatgpt | gpt | ask chatgpt | gpt-4 | gpt-4o | gpt-5 | dall-e | dalle | generate an image | image generation | create a picture with ai | transcribe audio | speech to text | whisper | text to speech | voice from text | read text aloud | moderate content | moderation | describe an image | analyse an image | vision | sora | video generation | openai assistant | transcription of a recording
@googleGemini: gemini | google ai | generate an image | image generation | analyse an image | analyse a video | transcribe audio | describe a video | generate a video | veo | nano banana | understand a document | vision | imagen
@anthropic: claude | anthropic | ask claude | analyse a document with claude | analyse an image
@ollama: ollama | local model | local llm | self hosted llm | own machine model | model on my own machine
@alibabaCloud: qwen | alibaba
@minimax: minimax
@moonshot: kimi | moonshot
perplexity: perplexity | search the web with ai | answer with sources | ai web search | research a topic online | internet search with citations
mistralAi: mistral | ocr with mistral | extract text from scanned documents
jinaAi: jina | read a web page as markdown | deep research | url to markdown
@lmChatOpenAi: openai model | gpt model | chatgpt model | openai chat model | gpt for the agent | openai compatible model
@lmChatAnthropic: claude model | anthropic model | claude as the language model | claude sonnet | claude opus | claude haiku | claude for the agent
@lmChatOllama: ollama model | local model | local llm | run a model locally | model on my own machine | offline language model | self hosted model | llama | private model
@lmChatGoogleGemini: gemini model | google model | gemini for the agent | google language model
@lmChatGoogleVertex: vertex model | vertex ai
@lmChatAwsBedrock: bedrock | bedrock model | aws language model | amazon model
@lmChatAzureOpenAi: azure openai | azure model | openai on azure | microsoft hosted gpt
@lmChatMistralCloud: mistral model | mistral for the agent
@lmChatGroq: groq | groq model | fast inference
@lmChatDeepSeek: deepseek | deepseek model
@lmChatOpenRouter: openrouter | many models with one key | any model | router of models
@lmChatXAiGrok: grok | xai | grok model
@lmChatCohere: cohere model | command r
@lmChatVercelAiGateway: vercel | vercel gateway
@lmOpenHuggingFaceInference: hugging face | huggingface model | open source model
@modelSelector: choose a model | model selector | pick a model by rule | different models | switch between models | fallback model | route to a cheaper model
@memoryBufferWindow: memory | simple memory | remember the conversation | chat history | conversation history | chat memory | context of the chat | remember earlier messages | last messages | keep the context | short term memory | remember what the user said
@memoryPostgresChat: memory in postgres | chat history in postgres | persistent memory | long term memory in a database | conversation in postgres | lasting chat memory
@memoryRedisChat: memory in redis | chat history in redis | conversation in redis
@memoryMongoDbChat: memory in mongodb | chat history in mongo | conversation in mongodb
@memoryXata: memory in xata
@memoryManager: manage chat memory | clear the memory | insert messages into memory | delete the chat history | read the chat history | reset the conversation
@chainSummarization: summarize | summary | summarise a document | summarize a long text | tldr | shorten a text | condense | summarize with ai | summarize an article | key points | abstract of a document | digest of a text | meeting summary | executive summary | gist
@chainRetrievalQa: question and answer | questions about my documents | answer questions about documents | rag | retrieval augmented generation | ask my documents | qa over documents | chat with my documents | chat with a pdf | knowledge base answers | answer from a knowledge base
@sentimentAnalysis: sentiment | positive or negative | mood | opinion | tone of a text | angry customer | happy or unhappy | emotion | is a review good or bad | feeling of a message | satisfied customers
@textClassifier: classify | classify text | category | categorize | categorise | into categories | label a text | spam or not | sort messages by topic | topic of a text | tag texts with ai | intent detection | which department | triage | classify emails | assign a label | type of request
@informationExtractor: extract information | structured data from text | extract fields from text | get names and dates out of a text | parse free text | entities | entity extraction | data from an invoice text | pull details out of an email | unstructured text | unstructured to structured | key facts | extract attributes | find addresses in a text
@guardrails: guardrails | prompt injection | jailbreak | block unsafe content | personal data | pii | nsfw | safety check | redact personal data | sanitize text | mask personal information | moderate user input | content policy
@outputParserStructured: structured output | json schema | answer in json | force json | output format | fixed format answer | schema of the answer | valid json from the model | typed answer | model output as json
@outputParserAutofixing: fix the output | repair invalid output | autofix | retry bad format | repair broken json of the model
@outputParserItemList: list output | answer as a list | separate list entries from the model
@vectorStorePinecone: pinecone | vector store | vector database | store embeddings in pinecone
@vectorStoreQdrant: qdrant | vector store | vector database
@vectorStorePGVector: pgvector | vector store in postgres | postgres vectors | vector database in postgres | embeddings in postgres | vector database
@vectorStoreSupabase: supabase vectors | vector store in supabase | embeddings in supabase
@vectorStoreInMemory: in memory vector store | simple vector store | vector store without database | try embeddings | store embeddings temporarily | vector store | semantic search | similarity search | vector database | store document embeddings
@vectorStoreMongoDBAtlas: vectors in mongodb | atlas vector search
@vectorStoreRedis: vectors in redis
@vectorStoreWeaviate: weaviate | vector database
@vectorStoreMilvus: milvus | vector database
@vectorStoreChromaDB: chroma | chromadb | vector database
@vectorStoreZep: zep
@vectorStoreAzureAISearch: azure ai search | azure vectors
@vectorStoreOracleDBVector: oracle vectors
@embeddingsOpenAi: embeddings | embed text | openai embeddings | vectors from text | embedding model | turn text into vectors | text to vector | create embeddings
@embeddingsOllama: local embeddings | ollama embeddings | embeddings on my own machine
@embeddingsGoogleGemini: gemini embeddings | google embeddings
@embeddingsCohere: cohere embeddings | multilingual embeddings
@embeddingsMistralCloud: mistral embeddings
@embeddingsHuggingFaceInference: hugging face embeddings
@embeddingsAzureOpenAi: azure embeddings
@embeddingsAwsBedrock: bedrock embeddings
@embeddingsGoogleVertex: vertex embeddings
@documentDefaultDataLoader: load documents | document loader | prepare documents for a vector store | load a pdf into a vector store | ingest documents | index a file
@textSplitterRecursiveCharacterTextSplitter: split text | text splitter | chunk | chunks | chunking | split a document into chunks | cut a text into pieces | pieces for embedding | overlap of chunks | long text into parts
@textSplitterCharacterTextSplitter: split by character | split text at a separator | chunk by characters
@textSplitterTokenSplitter: split by tokens | chunk by tokens | token limit
@retrieverVectorStore: retriever | retrieve from a vector store
@retrieverMultiQuery: several queries for retrieval | multiple variations of the question
@retrieverContextualCompression: compress retrieved documents
@retrieverWorkflow: retrieve from a workflow | workflow as retriever
@rerankerCohere: rerank | reranker | reorder search results by relevance
@toolCalculator: calculator | arithmetic | math | calculate | maths for an agent | do sums | compute
@toolCode: code tool | custom tool for an agent | agent runs code | tool written in javascript | own function for the agent
@toolWorkflow: workflow as a tool | agent calls a workflow | call my workflow from an agent | let the ai use a workflow | workflow tool | agent runs a workflow | one of my workflows as tool
@toolWikipedia: wikipedia | encyclopedia | look up in wikipedia | general knowledge
@toolSerpApi: google search | web search for an agent
@toolSearXng: search the web | web search | search engine | metasearch | internet search for an agent
@toolWolframAlpha: wolfram | scientific calculation | computational knowledge
@toolThink: think | let the agent think | scratchpad | reflect before answering
@toolVectorStore: vector store as a tool | agent searches my documents | knowledge base for an agent | agent asks my documents | give the agent a knowledge base
@mcpClientTool: mcp | mcp client | connect to an mcp server | use an mcp server | tools of an mcp server | agent uses mcp tools | model context protocol | external mcp tools | remote mcp server
@mcpClient: mcp client | call an mcp tool | run one tool of an mcp server as a step | connect to an mcp server | model context protocol without agent
@microsoftAgent365Trigger: microsoft agent | agent 365 | copilot agent
airtop: browser automation | cloud browser | control a browser | headless browser | fill in a website
`;
