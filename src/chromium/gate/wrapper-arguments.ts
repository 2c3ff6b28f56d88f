/** What the command line of a Chromium asks for, as far as a program that only wants to connect to the browser needs it. */

export interface WrapperArguments {
  /** `--version`: print it and end. */
  isVersion: boolean;
  /** `--remote-debugging-pipe`: the messages come on descriptor 3 and go to descriptor 4, each ended by a zero byte. */
  isPipe: boolean;
  /** `--remote-debugging-port`; 0 lets the system choose one. */
  port: number | undefined;
  /** `--user-data-dir`: the file DevToolsActivePort is written there. */
  profileFolder: string | undefined;
}

export function readWrapperArguments(args: readonly string[]): WrapperArguments {
  const settingOf = (flag: string): string | undefined =>
    args.findLast((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);
  const port = settingOf('remote-debugging-port');
  return {
    isVersion: args.includes('--version') || args.includes('--product-version'),
    isPipe: args.some((arg) => arg === '--remote-debugging-pipe' || arg.startsWith('--remote-debugging-pipe=')),
    port: port !== undefined && /^\d{1,5}$/.test(port) ? Number(port) : undefined,
    profileFolder: settingOf('user-data-dir'),
  };
}
