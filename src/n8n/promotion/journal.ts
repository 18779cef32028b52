import { isLost } from '../workflows/lost.ts';
import type { JournalStep, PromotionRecords } from './records.ts';
import type { Step } from './step.ts';

/** The journal of a promotion. A step is stored before its change is made, and completed afterwards. */
export function openJournal(records: PromotionRecords, promotion: string) {
  const steps: JournalStep[] = [];

  async function put(entry: JournalStep): Promise<void> {
    steps[entry.number - 1] = entry;
    await records.putStep(promotion, entry);
  }

  return {
    steps: (): readonly JournalStep[] => steps,
    /** Announces a change, makes it, and stores what became of it. */
    async record<S extends Step, T>(step: S, change: () => Promise<{ step: S; result: T }>): Promise<T> {
      const number = steps.length + 1;
      await put({ number, state: 'doing', step });
      const { step: after, result } = await change();
      await put({ number, state: 'done', step: after });
      return result;
    },
    /** Like `record`, for a change of one request: if n8n refuses it, nothing has happened. */
    async recordOne<S extends Step>(step: S, change: () => Promise<S>): Promise<void> {
      const number = steps.length + 1;
      await put({ number, state: 'doing', step });
      try {
        await put({ number, state: 'done', step: await change() });
      } catch (error) {
        // Otherwise taking it back could delete what somebody else has just created under this name.
        if (!isLost(error)) await put({ number, state: 'undone', step });
        throw error;
      }
    },
    /** Announces another change of something that an earlier step made. */
    async again<T>(number: number, change: (step: Step) => Promise<{ step: Step; result: T }>): Promise<T> {
      const { step } = steps[number - 1] as JournalStep;
      await put({ number, state: 'doing', step });
      const { step: after, result } = await change(step);
      await put({ number, state: 'done', step: after });
      return result;
    },
  };
}

export type Journal = ReturnType<typeof openJournal>;
