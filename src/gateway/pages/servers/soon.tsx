import { Ago } from '../../../console/client/ui/ago.tsx';

const MOMENT_MS = 5000;

/** When something happens next; the time may be over by a moment. */
export function Soon({ at }: { at: string }) {
  return new Date(at).getTime() - Date.now() < MOMENT_MS ? <>in a moment</> : <Ago at={at} />;
}
