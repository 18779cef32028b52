import { z } from 'zod';
import { appInput, difyTool, id } from '../tool.ts';

export const sendFeedbackTool = difyTool({
  name: 'dify_send_feedback',
  title: 'Rate an answer',
  description: 'Likes or dislikes an answer, with a comment, or takes the rating back.',
  phrases: 'like a dify answer; rate the answer of a dify app; give feedback on a dify message',
  effect: 'update',
  input: z.strictObject({
    app: appInput,
    message_id: id.describe('Id of the message'),
    rating: z.enum(['like', 'dislike', 'none']),
    comment: z.string().max(2000).optional().describe('What was good or bad'),
  }),
  output: z.object({ message_id: z.string(), rating: z.string() }),
  async run({ app, message_id, rating, comment }, dify, { signal }) {
    await dify.app(app).send(['messages', message_id, 'feedbacks'], {
      method: 'POST',
      body: {
        rating: rating === 'none' ? null : rating,
        user: dify.user,
        ...(comment !== undefined && { content: comment }),
      },
      signal,
    });
    return { message_id, rating };
  },
});
