/** What the page looked like: one picture large, all of them small, and a scrubber. */
import { useEffect, useRef, useState } from 'react';
import type { AttemptView, Frame } from '../../../src/view/index.ts';
import { captionOf } from '../../../src/view/texts.ts';
import { useLinks } from './viewer-links.tsx';

interface Props {
  id: string;
  attempt: AttemptView;
  /** The place of the frame that is shown. */
  at: number;
  onFrame: (at: number) => void;
}

export function Filmstrip({ id, attempt: { frames, folder }, at, onFrame }: Props) {
  const links = useLinks();
  const strip = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = strip.current;
    const frame = box?.children[at];
    if (!box || !(frame instanceof HTMLElement)) return;
    const { offsetLeft, offsetWidth } = frame;
    if (offsetLeft < box.scrollLeft || offsetLeft + offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollLeft = offsetLeft - (box.clientWidth - offsetWidth) / 2;
  }, [at]);
  const frame = frames[at];
  if (!frame) return <p className="muted">No pictures.</p>;
  return (
    <div className="v-film">
      <Picture src={links.picture(id, folder, frame.file)} caption={captionOf(frame.moments)} />
      <div className="v-scrub">
        <input
          type="range"
          min={0}
          max={frames.length - 1}
          value={at}
          aria-label="Picture"
          aria-valuetext={`${at + 1} of ${frames.length}: ${captionOf(frame.moments)}`}
          onChange={(event) => onFrame(Number(event.target.value))}
        />
        <span className="muted number">
          {at + 1} of {frames.length}: {captionOf(frame.moments)}
        </span>
      </div>
      <ol className="v-strip scroll-box" ref={strip} aria-label="All pictures">
        {frames.map((one, index) => (
          <Thumbnail
            key={`${one.file} ${one.moments[0]}`}
            frame={one}
            src={links.picture(id, folder, one.file)}
            isCurrent={index === at}
            onSelect={() => onFrame(index)}
          />
        ))}
      </ol>
    </div>
  );
}

interface ThumbnailProps {
  frame: Frame;
  src: string;
  isCurrent: boolean;
  onSelect: () => void;
}

function Thumbnail({ frame, src, isCurrent, onSelect }: ThumbnailProps) {
  return (
    <li>
      <button type="button" className="v-thumb" aria-current={isCurrent} onClick={onSelect}>
        <img src={src} alt="" loading="lazy" decoding="async" />
        <span>{captionOf(frame.moments)}</span>
      </button>
    </li>
  );
}

function Picture({ src, caption }: { src: string; caption: string }) {
  /** The address that could not be read. */
  const [gone, setGone] = useState<string>();
  if (gone === src)
    return (
      <p className="v-picture v-no-picture">
        The picture ({caption}) is not beside this report: it was moved or removed.
      </p>
    );
  return (
    <img className="v-picture" src={src} alt={`Screenshot: ${caption}`} decoding="async" onError={() => setGone(src)} />
  );
}
