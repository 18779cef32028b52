import { expect, test } from 'vitest';
import { adviceFor } from './advice.ts';

// The messages are those of wire/.
test.each([
  ['http', 'The server answered HTTP 401: check the "headers" of this server.', /token in its "headers"/],
  ['http', 'The server answered HTTP 404', /path of its "url"/],
  ['http', 'The server at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1', /Start that server/],
  ['sse', 'The server at http://no.such cannot be reached: getaddrinfo ENOTFOUND no.such', /host name/],
  ['http', 'The server at https://x cannot be reached: self-signed certificate', /NODE_EXTRA_CA_CERTS/],
  ['http', 'The server was silent for 30 s; the call was given up.', /"timeout"/],
  ['http', 'something else', /curl/],
  ['stdio', 'The command x does not exist. Install it, or correct "command" or "cwd" in the configuration.', /^$/],
  ['stdio', 'The command x may not be executed. Check its permissions.', /^$/],
  ['stdio', 'The server was silent for 30 s; the call was given up.', /speak MCP on stdin/],
  ['stdio', 'The process exited with code 1; its last words: npm error code E404', /name of the package/],
  ['stdio', 'The process exited with code 1; its last words: SLACK_TOKEN is required', /in its "env"/],
  ['stdio', 'The process exited with code 1', /by hand/],
])('%s: %s', (transport, message, advice) => expect(adviceFor(transport, message)).toMatch(advice));
