import { Failed } from '../../console/client/api.ts';
import { say } from '../../console/client/ui/notice.tsx';

/** Does something and says what came of it, or why it failed. */
export async function doing(act: () => Promise<string | undefined>): Promise<void> {
  try {
    const said = await act();
    if (said !== undefined) say(said);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    say(error.message, true);
  }
}
