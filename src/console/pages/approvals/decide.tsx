import { send } from '../../client/api.ts';
import { confirmed } from '../../client/ui/dialog.tsx';
import { say } from '../../client/ui/notice.tsx';
import { refreshWaiting, type WaitingItem } from '../../client/waiting.ts';

/** Asks for a note, decides, and says what came of it. Throws what the gateway refuses. */
export async function decide({ part, id, title, detail }: WaitingItem, approve: boolean): Promise<void> {
  const note = await confirmed({
    title: approve ? 'Approve this?' : 'Refuse this?',
    text: (
      <>
        <p>
          <bdi>{title}</bdi>
        </p>
        {detail !== undefined && (
          <p class="quiet">
            <bdi>{detail.slice(0, LONGEST_DETAIL)}</bdi>
          </p>
        )}
      </>
    ),
    yes: approve ? 'Approve' : 'Refuse',
    danger: !approve,
    note: { label: approve ? 'Note for the record (optional)' : 'Why not? (optional: whoever asked is told)' },
  });
  if (note === undefined) return;
  try {
    const path = `api/v1/waiting/${encodeURIComponent(part)}/${encodeURIComponent(id)}`;
    const { message } = await send<{ message: string }>('POST', path, {
      approve,
      ...(note.trim() !== '' && { note: note.trim().slice(0, LONGEST_NOTE) }),
    });
    say(message);
  } finally {
    await refreshWaiting();
  }
}

const LONGEST_NOTE = 2000;
const LONGEST_DETAIL = 600;
