import { useState } from 'react';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button, type ButtonProps } from '../ui/button.tsx';

/** Copies a text. Where the browser keeps the clipboard from us (plain http, another host), it says what to do instead. */
export function CopyButton({ text, what, children, ...rest }: { text: string; what: string } & ButtonProps) {
  const announce = useAnnounce();
  const [said, setSaid] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    const message = isCopied ? `${what} copied.` : 'The browser does not allow it here: select the text and copy it.';
    setSaid(message);
    announce(message);
  };
  return (
    <>
      <Button {...rest} onClick={() => void copy()}>
        {children}
      </Button>
      {said !== '' && (
        <span className="harness-said" aria-hidden="true">
          {said}
        </span>
      )}
    </>
  );
}
