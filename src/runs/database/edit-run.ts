/** What people may change of a run: its label and its tags. What was run and how it was graded stays as it is. */
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Queryable, schema } from '../../store/index.ts';
import { type ListedRun, runRow, selectRuns } from './list-runs.ts';

const { run } = schema;

const MOST_TAGS = 20;

export const runEditSchema = z.strictObject({
  /** Empty: none. */
  label: z.string().trim().max(200).optional(),
  tags: z.array(z.string().trim().min(1).max(50)).max(MOST_TAGS).optional(),
});

export type RunEdit = z.infer<typeof runEditSchema>;

export async function editRun(db: Queryable, id: string, { label, tags }: RunEdit): Promise<ListedRun> {
  await runRow(db, id);
  await db
    .update(run)
    .set({
      ...(label === undefined ? {} : { label }),
      // A tag that is given twice is one tag.
      ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
      updatedAt: sql`now()`,
    })
    .where(eq(run.id, id));
  const [row] = await selectRuns(db, { where: eq(run.id, id), limit: 1 });
  return row as ListedRun;
}

/** Every tag with how many runs have it, in the order of the alphabet. */
export async function listTags(db: Queryable): Promise<{ tag: string; runs: number }[]> {
  const { rows } = await db.execute<{ tag: string; runs: number }>(
    sql`select tag, count(*)::int as runs from ${run}, unnest(${run.tags}) as tag where ${run.tags} is not null group by tag order by lower(tag), tag`,
  );
  return rows;
}
