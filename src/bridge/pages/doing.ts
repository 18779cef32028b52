import { Failed } from '../../console/client/api.ts';
import { say } from '../../console/client/ui/notice.tsx';

/** Does something, and says why if it fails. */
export async function doing(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    say(error.message, true);
  }
}
