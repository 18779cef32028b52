import { z } from 'zod';
import { someOf } from '../../kernel/some-of.ts';
import { n8nTool } from '../tool.ts';

export const copyBackups = n8nTool({
  name: 'n8n_copy_backups',
  unlisted: true,
  title: 'Copy backups to S3',
  description:
    'Copies every backup on disk that S3 lacks. Sluice does this by itself; call it to see it done now, or why it fails.',
  effect: 'create',
  phrases:
    'copy the backups to s3; upload backups to the bucket; push saved copies to object storage; send backups off site; sync the backup folder with s3; get the backups into minio; transfer snapshots to the cloud bucket; upload what is missing in s3; offsite copy of the backups; mirror the backups to a bucket; catch up with the s3 copies; retry the failed backup uploads',
  tags: ['backups'],
  input: {},
  output: z.object({ copied: z.number(), note: z.string().optional().describe('What could not be copied, and why') }),
  async run(_, { backups }, { signal }, progress) {
    const { copied, damaged } = await backups.copyAll({ signal, progress });
    const note = `Damaged on disk, so not copied: ${someOf(damaged)}.`;
    return { copied, ...(damaged.length > 0 && { note }) };
  },
});
