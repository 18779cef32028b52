// Backend: the same server over stdio.
import { parseArgs } from 'node:util';
import { createEcho, type Request } from './echo.ts';
import { eachLine } from './lines.ts';

const { values } = parseArgs({
  options: { tools: { type: 'string', default: '1' }, name: { type: 'string', default: 'echo' } },
});
const answer = createEcho(Number(values.tools), values.name);

eachLine(process.stdin, (line) => {
  const body = answer(JSON.parse(line) as Request);
  if (body !== undefined) process.stdout.write(`${body}\n`);
});
process.stdin.on('end', () => process.exit(0));
