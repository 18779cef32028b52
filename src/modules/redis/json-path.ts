import { z } from 'zod';

export const jsonPath = z.string().min(1).max(500);
