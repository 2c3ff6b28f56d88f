/**
 * The environment of a foreign process: what a program needs to run, and nothing else of ours. Keys and tokens are not passed on unless the
 * configuration names them.
 */
const NEEDED =
  process.platform === 'win32'
    ? ['PATH', 'SYSTEMROOT', 'SYSTEMDRIVE', 'COMSPEC', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES', 'WINDIR']
    : ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TERM', 'DISPLAY', 'WAYLAND_DISPLAY'];

/** @example cleanEnvironment('/tmp/x', { DEBUG: 'pw:*' }) // { PATH: …, HOME: '/tmp/x', TMPDIR: '/tmp/x/tmp', …, DEBUG: 'pw:*' } */
export function cleanEnvironment(
  home: string,
  temporary: string,
  extra: Readonly<Record<string, string>> = {},
  ours: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const kept = NEEDED.flatMap((name): [string, string][] => {
    const value = ours[name];
    return value === undefined ? [] : [[name, value]];
  });
  const places =
    process.platform === 'win32'
      ? { USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home, TEMP: temporary, TMP: temporary }
      : { HOME: home, XDG_CONFIG_HOME: `${home}/.config`, XDG_CACHE_HOME: `${home}/.cache`, TMPDIR: temporary };
  return { ...Object.fromEntries(kept), ...places, ...extra };
}
