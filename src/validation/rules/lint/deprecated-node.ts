import { isHandedOn } from '../../structure/handed-on.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

const BASE = 'n8n-nodes-base.';
const AI = '@n8n/n8n-nodes-langchain.';

/** Nodes that n8n keeps only for old workflows, and their replacements. */
const successors: ReadonlyMap<string, string> = new Map([
  [`${BASE}function`, `Code (${BASE}code)`],
  [`${BASE}functionItem`, `Code (${BASE}code), run once for each item`],
  [`${BASE}cron`, `Schedule Trigger (${BASE}scheduleTrigger)`],
  [`${BASE}interval`, `Schedule Trigger (${BASE}scheduleTrigger)`],
  [`${BASE}workflowTrigger`, `n8n Trigger (${BASE}n8nTrigger)`],
  [`${BASE}itemLists`, 'Split Out, Aggregate, Sort, Limit, Summarize or Remove Duplicates'],
  [`${BASE}htmlExtract`, `HTML (${BASE}html)`],
  [`${BASE}iCal`, 'Convert to File or Extract from File'],
  [`${BASE}moveBinaryData`, 'Convert to File or Extract from File'],
  [`${BASE}readPDF`, `Extract from File (${BASE}extractFromFile)`],
  [`${BASE}spreadsheetFile`, 'Convert to File or Extract from File'],
  [`${BASE}readBinaryFile`, `Read/Write Files from Disk (${BASE}readWriteFile)`],
  [`${BASE}readBinaryFiles`, `Read/Write Files from Disk (${BASE}readWriteFile)`],
  [`${BASE}writeBinaryFile`, `Read/Write Files from Disk (${BASE}readWriteFile)`],
  [`${BASE}openAi`, `OpenAI (${AI}openAi)`],
  [`${BASE}aiTransform`, `Code (${BASE}code)`],
  [`${BASE}orbit`, 'another service: Orbit has closed'],
  [`${AI}lmOpenAi`, `OpenAI Chat Model (${AI}lmChatOpenAi)`],
  [`${AI}openAiAssistant`, `OpenAI (${AI}openAi)`],
  [`${AI}toolHttpRequest`, `HTTP Request as a tool (${BASE}httpRequestTool)`],
  [`${AI}manualChatTrigger`, `Chat Trigger (${AI}chatTrigger)`],
  [`${AI}documentBinaryInputLoader`, `Default Data Loader (${AI}documentDefaultDataLoader)`],
  [`${AI}documentJsonInputLoader`, `Default Data Loader (${AI}documentDefaultDataLoader)`],
  [`${AI}vectorStoreInMemoryInsert`, `Simple Vector Store (${AI}vectorStoreInMemory)`],
  [`${AI}vectorStoreInMemoryLoad`, `Simple Vector Store (${AI}vectorStoreInMemory)`],
  [`${AI}vectorStorePineconeInsert`, `Pinecone Vector Store (${AI}vectorStorePinecone)`],
  [`${AI}vectorStorePineconeLoad`, `Pinecone Vector Store (${AI}vectorStorePinecone)`],
  [`${AI}vectorStoreSupabaseInsert`, `Supabase Vector Store (${AI}vectorStoreSupabase)`],
  [`${AI}vectorStoreSupabaseLoad`, `Supabase Vector Store (${AI}vectorStoreSupabase)`],
]);

/** n8n still runs them: fine in an old workflow, a mistake in a new one. */
export const deprecatedNode: Rule = {
  id: 'deprecated-node',
  group: 'lint',
  title: 'No node is of a type that n8n keeps only for old workflows.',
  severity: 'warning',
  check(subject, report) {
    const [first, ...others] = subject.nodes.filter(isDeprecated);
    if (!first) return;
    const advice = new Set([first, ...others].map(adviceFor));
    report({
      node: first.name,
      path: `${first.pointer}/type`,
      ...(isHandedOn(subject) && { severity: 'info' as const }),
      message: `${[...advice].join(' ')} n8n still runs ${others.length > 0 ? 'them' : 'it'}.${others.length > 0 ? ` ${named(others)} ${others.length > 1 ? 'are' : 'is'} deprecated, too.` : ''}`,
    });
  },
};

function isDeprecated({ summary, sticky, type }: NodeView): boolean {
  if (!summary || sticky) return false;
  return summary.deprecated || (summary.hidden && successors.has(type));
}

function adviceFor({ summary, type }: NodeView): string {
  const successor = summary && (summary.hidden || summary.deprecated) ? successors.get(type) : undefined;
  return `n8n keeps ${summary?.title.replace(/\s*\(deprecated\)/i, '')} only for old workflows: ${
    successor === undefined ? 'search_nodes finds one to use instead.' : `use ${successor} instead.`
  }`;
}
