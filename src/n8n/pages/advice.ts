import type { FailureGroup } from './answers.ts';

type Failed = Pick<FailureGroup, 'cause' | 'http_status' | 'type'>;

const rules: readonly (readonly [when: (one: Failed) => boolean, what: string])[] = [
  [
    ({ cause }) => cause.startsWith('n8n stopped'),
    'n8n ran out of memory or was restarted. Look at its log; let the workflow handle fewer items at once.',
  ],
  [
    ({ cause }) => cause.startsWith('unknown:'),
    'n8n kept no data. Let the workflow save failed executions (Settings in n8n), then look again.',
  ],
  [
    said(/^40[13]$/, /unauthori[sz]ed|forbidden|authenti|credential|permission|access denied|invalid (?:api )?key/i),
    'The service refuses the sign-in. Check the credential of this node in n8n, and what it may do.',
  ],
  [
    said(/^429$/, /rate limit|too many requests|quota/i),
    'The service limits how often it is called. Wait between items, or set Retry On Fail with a pause.',
  ],
  [
    said(/^(?:404|410)$/, /not found/i),
    'The address or the id does not exist (any more). Check what the node asks for.',
  ],
  [
    said(/^(?:400|422)$/, /bad request/i),
    'The service does not accept what was sent. Compare the input of the node with its documentation.',
  ],
  [
    said(/^5\d\d$/, /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|socket hang up|service .*(?:unavailable|refused)/i),
    'The service did not answer. Check that it runs and that n8n can reach it, then retry.',
  ],
  [
    said(undefined, /time(?:d)? ?out|ETIMEDOUT|aborted/i),
    'It took too long. Raise the timeout of the node, or ask for less at once.',
  ],
  [
    ({ type = '' }) => /\.(?:code|function|functionItem)$/.test(type),
    'The code of the node failed. Open the details for the line and the input it had.',
  ],
  [
    said(undefined, /undefined|null|cannot read|is not (?:a function|iterable)|expression|referenced node/i),
    'An item did not have what the node expects. Look at its input in the details.',
  ],
];

function said(status: RegExp | undefined, words: RegExp): (one: Failed) => boolean {
  return ({ http_status, cause }) =>
    http_status !== undefined && status !== undefined ? status.test(http_status) : words.test(cause);
}

/** What to try first about failures of this kind. */
export const adviceFor = (one: Failed): string =>
  rules.find(([when]) => when(one))?.[1] ?? 'Open the details for the whole error and the input of the node.';
