import { z } from 'zod';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';
import { FILES_HEADER } from '../../n8n/running/runner/runner-workflow.ts';
import { answerResult, itemsResult, parsed, type RunFile, type RunResult, tooLarge } from './result.ts';

const fileShape = z.object({ name: z.string().nullish(), mimeType: z.string().nullish(), data: z.string() });
const withFiles = z.array(z.object({ json: z.unknown(), files: z.array(fileShape) }));

/** The output of the workflow that the runner called. */
export function runnerResult(answer: RawAnswer, place: string): RunResult {
  if (answer.cut) throw tooLarge(answer.bytes.length);
  const body = answer.status < 400 ? parsed(new TextDecoder().decode(answer.bytes)) : undefined;
  if (!Array.isArray(body)) return answerResult(answer, place);
  const carried = answer.headers.get(FILES_HEADER) === null ? undefined : withFiles.safeParse(body).data;
  if (!carried) return itemsResult(body, [], place);
  const files = carried.flatMap(({ files: own }) => own.map(fileOf));
  return itemsResult(
    carried.map(({ json }) => json),
    files,
    place,
  );
}

const fileOf = ({ name, mimeType, data }: z.output<typeof fileShape>): RunFile => ({
  data,
  ...(name && { name }),
  ...(mimeType && { mimeType }),
});
