/** Versions by their hash: the one that is there now, and those that runs were made of. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRunsQuery, type Dataset, MAX_PAGE } from '../api/queries.ts';
import { count, dateTime } from '../ui/format.ts';

export function DatasetVersions({ dataset: { id, version_hash, updated_at, created_at } }: { dataset: Dataset }) {
  const runs = useQuery(allRunsQuery({ suite: id, limit: MAX_PAGE })).data?.runs;
  const uses = new Map([[version_hash, 0]]);
  for (const { suite } of runs ?? []) uses.set(suite.hash, (uses.get(suite.hash) ?? 0) + 1);
  return (
    <section className="panel" aria-labelledby="versions">
      <div className="panel-head">
        <h2 id="versions">Versions</h2>
        <span className="muted">
          made {dateTime(created_at)}
          {updated_at !== created_at && `, changed ${dateTime(updated_at)}`}
        </span>
      </div>
      <ul className="versions">
        {[...uses].map(([hash, used]) => (
          <li key={hash}>
            <span className="mono">{hash}</span>
            <span className="muted">
              {hash === version_hash ? 'current' : 'older'}, {count(used, 'run')}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/runs" search={{ suite: id }}>
          Runs of this dataset
        </Link>
      </p>
    </section>
  );
}
