import { judgingTool } from './judging-tool.ts';

export const suggestImprovements = judgingTool({
  name: 'n8n_suggest_improvements',
  title: 'Suggest improvements',
  description:
    'Suggests what to improve in a workflow: nodes you can merge, work you can do in batches, rate limits of services that it may hit.',
  groups: ['suggestions'],
  phrases:
    'how can i improve this workflow; optimise an automation; make it faster or simpler; ideas to make a flow better; reduce the number of nodes; batching; rate limits i may hit; performance advice; recommendations for a workflow; simplify; refactor; make it more efficient; what could be better; tips for my workflow; can this flow be shorter; how do i speed up my automation; what would you change in this workflow; merge redundant nodes; is there a more efficient way; suggestions for a flow; avoid hitting api limits; too slow, too many calls; streamline; could this be done with fewer nodes; can the calls be batched; what is inefficient here; my workflow is slow, what can i do; advice on a flow; reduce api calls; ideas; how would an expert build it; cut costs of a workflow; is it overcomplicated; where could this flow be leaner; i want to save api calls; make the workflow more efficient; what can be simplified; how to speed it up; is there a smarter way; performance problems of a flow; help me improve; bottlenecks; too many nodes; optimisation ideas; reduce load',
  example: { title: 'Improve a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
