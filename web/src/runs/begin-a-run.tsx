import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

/** The two kinds of runs that begin in the web app. */
export function BeginLinks() {
  return (
    <>
      <ButtonLink to="/start">Run browser tasks</ButtonLink>
      <ButtonLink to="/launch" kind="primary">
        Run a dataset
      </ButtonLink>
    </>
  );
}

/** What stands where runs will be. */
export function NoRuns({ hasDatasets = true }) {
  return (
    <Empty title="There are no runs yet.">
      {hasDatasets ? (
        <p>
          Run a dataset on a model behind an API, capture a chat page’s answers and import them, or run an agent in
          browsers, here or with <code>waymark run</code>.
        </p>
      ) : (
        <p>
          Upload a dataset first: questions with their answers. Then ask a model, or capture a chat page’s answers. An
          agent can run in browsers without one, here or with <code>waymark run</code>.
        </p>
      )}
      <div className="actions actions-centre">
        {hasDatasets ? (
          <>
            <ButtonLink to="/launch">Run a dataset</ButtonLink>
            <ButtonLink to="/browser-harness">Open the Browser Harness</ButtonLink>
          </>
        ) : (
          <ButtonLink to="/datasets">Go to the datasets</ButtonLink>
        )}
        <ButtonLink to="/start">Run browser tasks</ButtonLink>
      </div>
    </Empty>
  );
}
