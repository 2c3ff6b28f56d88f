/** report.html: the run, or one of its attempts. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { showMarks } from '../ui/direction-marks.ts';
import { AttemptViewer } from '../viewer/attempt-viewer.tsx';
import { RunViewer } from '../viewer/run-viewer.tsx';
import { LinksProvider, type ViewerLinks, ViewLink } from '../viewer/viewer-links.tsx';
import { hashOf, replaceHash, useAddress } from './report-address.ts';
import { type ReportAttempt, type ReportRun, readAttempt } from './report-data.ts';

export function ReportPage({ data }: { data: ReportRun }) {
  const { id, seq } = useAddress();
  const opened = useAttempt(id, data.chunks);
  const pictures = opened?.found?.pictures;
  const links = useMemo((): ViewerLinks => linksWith(pictures), [pictures]);
  const { run } = data;
  return (
    <LinksProvider value={links}>
      <main className="main" id="main">
        {id === undefined ? (
          <Titled key="run" title={run.name} tab={run.title}>
            <RunViewer run={run} />
          </Titled>
        ) : (
          <OpenedAttempt key={id} id={id} opened={opened} seq={seq} />
        )}
      </main>
    </LinksProvider>
  );
}

interface Opened {
  id: string;
  found: ReportAttempt | undefined;
}

/** Undefined while it is read. */
function useAttempt(id: string | undefined, chunks: string | undefined): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    if (id === undefined) return;
    let isLeft = false;
    void readAttempt(id, chunks).then((found) => {
      if (!isLeft) setOpened({ id, found });
    });
    return () => {
      isLeft = true;
    };
  }, [id, chunks]);
  return opened?.id === id ? opened : undefined;
}

interface OpenedProps {
  id: string;
  opened: Opened | undefined;
  seq: number | undefined;
}

function OpenedAttempt({ id, opened, seq }: OpenedProps) {
  if (!opened) return <p role="status">Opening the attempt …</p>;
  if (!opened.found)
    return (
      <Titled title="No such attempt" tab="No such attempt" trail={<ViewLink href="#">The run</ViewLink>}>
        <p>This report has no attempt {id}, or its file in report-data/ is not beside it.</p>
      </Titled>
    );
  const { attempt } = opened.found;
  return (
    <Titled title={attempt.name} tab={attempt.name} trail={<ViewLink href="#">The run</ViewLink>}>
      <AttemptViewer id={id} attempt={attempt} selected={seq} onSelect={(next) => replaceHash(hashOf(id, next))} />
    </Titled>
  );
}

interface TitledProps {
  title: string;
  tab: string;
  trail?: ReactNode;
  children: ReactNode;
}

let isFirst = true;

/** The heading takes the focus after a change of the page. */
function Titled({ title, tab, trail, children }: TitledProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = showMarks(tab);
  }, [tab]);
  useEffect(() => {
    if (!isFirst) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, []);
  return (
    <>
      <div className="page-head">
        {trail && <div className="trail">{trail}</div>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {children}
    </>
  );
}

function linksWith(pictures: ReportAttempt['pictures'] | undefined): ViewerLinks {
  const file = (path: string): string => path.split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    run: '#',
    attempt: hashOf,
    picture: (_id, folder, name) => pictures?.[name] ?? file(`${folder}/${name}`),
    file,
  };
}
