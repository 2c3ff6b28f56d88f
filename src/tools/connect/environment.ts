/**
 * The environment of a foreign process: what a program needs to run and to reach the network, and nothing else of ours. Keys and tokens are not
 * passed on unless the configuration names them.
 */
import { homedir } from 'node:os';
import path from 'node:path';

const NEEDED =
  process.platform === 'win32'
    ? ['PATH', 'SYSTEMROOT', 'SYSTEMDRIVE', 'COMSPEC', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES', 'WINDIR']
    : ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TERM', 'DISPLAY', 'WAYLAND_DISPLAY'];

/** The way to the network: proxies, and the certificates of those who sign for them. */
const NETWORK = new Set(
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE'.split(
    ' ',
  ),
);
/** Where npm finds packages, for servers that are started by npx. Its other settings are about our own project, or secret. */
const NPM =
  /^npm_config_(?:registry|proxy|https?_proxy|noproxy|cafile|ca|strict_ssl|offline|prefer_offline|.*:registry)$/i;

/** A URL with a user name or password in it. */
const WITH_CREDENTIALS = /^\w+:\/\/[^/?#]*@/;

function isForNetwork([name, value]: [string, string | undefined]): boolean {
  const isWanted = NETWORK.has(name.toUpperCase()) || NPM.test(name);
  return isWanted && value !== undefined && !WITH_CREDENTIALS.test(value);
}

/** npm's cache is shared, because a server that is started by npx would otherwise be downloaded for every process. */
function npmCache(ours: Readonly<Record<string, string | undefined>>): string {
  const home = ours['HOME'] ?? homedir();
  return ours['npm_config_cache'] ?? ours['NPM_CONFIG_CACHE'] ?? path.join(home, '.npm');
}

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
  const network = Object.entries(ours).filter(isForNetwork) as [string, string][];
  return { ...Object.fromEntries([...kept, ...network]), npm_config_cache: npmCache(ours), ...places, ...extra };
}
