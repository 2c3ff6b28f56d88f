/** A state as a word with a colour; never the colour alone. */
export type Tone = 'neutral' | 'good' | 'bad' | 'warning' | 'live';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: string }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
