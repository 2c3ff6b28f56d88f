/** The command line of a browser that we start. */
import type { BrowserKind } from './find-browser.ts';

/** Without these it calls out at start, throttles what is not in front, or asks the user things. */
const COMMON = [
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-default-apps',
  '--disable-field-trial-config',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-ipc-flooding-protection',
  '--disable-dev-shm-usage',
  '--disable-search-engine-choice-screen',
  '--metrics-recording-only',
  '--mute-audio',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--password-store=basic',
  '--use-mock-keychain',
  '--lang=en-US',
  '--window-size=1280,720',
];

/**
 * What a full Chromium does for its own user interface with every window. The three WebUIOmnibox features alone halve the
 * cost of an episode (measured on Chromium 156: a new context opens two pages of its own in an extra renderer otherwise).
 */
const TRIMMED = ['--headless=new', '--disable-extensions', '--disable-component-extensions-with-background-pages'];
const TRIMMED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'InitialWebUI',
  'WebUIToolbar',
  'WebUIReloadButton',
  'PreloadTopChromeWebUI',
  'GlobalMediaControls',
  'LensOverlay',
];
/** For both kinds: features that call out or change pages behind the task's back. */
const COMMON_FEATURES_OFF = ['Translate', 'MediaRouter', 'OptimizationHints', 'DialMediaRouteProvider'];

export interface FlagOptions {
  kind: BrowserKind;
  profile: string;
  isRoot: boolean;
  /** `--host-resolver-rules`, e.g. of the fixture server. */
  resolverRules?: string | undefined;
  extra?: readonly string[] | undefined;
}

export function browserFlags(options: FlagOptions): string[] {
  const featuresOff = options.kind === 'chrome' ? [...COMMON_FEATURES_OFF, ...TRIMMED_FEATURES] : COMMON_FEATURES_OFF;
  return [
    ...COMMON,
    ...(options.kind === 'chrome' ? TRIMMED : []),
    `--disable-features=${featuresOff.join(',')}`,
    // Chromium refuses its sandbox for root, and says so by not starting.
    ...(options.isRoot ? ['--no-sandbox'] : []),
    ...(options.resolverRules ? [`--host-resolver-rules=${options.resolverRules}`] : []),
    `--user-data-dir=${options.profile}`,
    ...(options.extra ?? []),
  ];
}
