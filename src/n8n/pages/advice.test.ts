import { expect, test } from 'vitest';
import { adviceFor } from './advice.ts';

test.each([
  [{ cause: 'Authorization failed - please check your credentials', http_status: '401' }, 'credential'],
  [{ cause: 'whatever the text says about a credential', http_status: '429' }, 'limits how often'],
  [{ cause: 'connect ECONNREFUSED 127.0.0.1:1' }, 'did not answer'],
  [{ cause: 'Bad gateway', http_status: '502' }, 'did not answer'],
  [{ cause: 'n8n stopped while it ran' }, 'memory'],
  [{ cause: 'unknown: n8n kept no data, or the execution was not read' }, 'save failed executions'],
  [{ cause: 'no stock [line 1]', type: 'n8n-nodes-base.code' }, 'code of the node'],
  [{ cause: "Cannot read properties of undefined (reading 'id')" }, 'input'],
  [{ cause: '🤷' }, 'details'],
])('says what to try: %j', (failed, words) => {
  expect(adviceFor(failed)).toContain(words);
});
