import { Empty } from '../ui/states.tsx';

/** In the place of a form that a server without `--allow-runs` would refuse. */
export function NotAllowed() {
  return (
    <Empty title="This server does not start runs.">
      <p>
        A run is a program on the server’s machine, with its keys. A server that other machines reach, or that asks for
        a token, starts runs only with <code>waymark serve --allow-runs yes</code>. Runs that are started at the command
        line in its folder of runs are shown here all the same.
      </p>
    </Empty>
  );
}
