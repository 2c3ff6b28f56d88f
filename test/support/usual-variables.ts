/**
 * Variables that every foreign process has: where it may write, the way to the network, and what the shell sets that starts it. Which of those
 * for the network there are depends on the machine.
 */
const USUAL =
  /^(HOME|LANG|LC_ALL|PATH|TERM|TMPDIR|TZ|XDG_CACHE_HOME|XDG_CONFIG_HOME|PWD|OLDPWD|SHLVL|_|npm_config_\w+|\w+_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_\w+|SSL_CERT_\w+|\w+_CA_BUNDLE)$/i;

/** The names that are not usual. */
export function unusual(names: readonly string[]): string[] {
  return names.filter((name) => !USUAL.test(name));
}
