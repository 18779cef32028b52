import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'deprecated-setting';
const only = { groups: ['lint' as const] };
const path = '/nodes/1/continueOnFail';
const fetching = (more: Record<string, unknown>) =>
  flow(
    [node('Start', 'manualTrigger', 1), node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com' }, more)],
    ['Start -> Fetch'],
  );

export const cases: Case[] = [
  valid('false, as n8n itself writes it', fetching({ continueOnFail: false }), only),
  broken(
    'the old setting',
    fetching({ continueOnFail: true }),
    [{ rule, path, severity: 'info', fixed: fetching({ onError: 'continueRegularOutput' }) }],
    only,
  ),
  broken(
    'both',
    fetching({ continueOnFail: true, onError: 'stopWorkflow' }),
    [{ rule, path, says: 'overrides "onError"', fixed: fetching({ onError: 'stopWorkflow' }) }],
    only,
  ),
];
