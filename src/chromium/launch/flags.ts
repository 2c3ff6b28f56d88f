/** The command line of a browser that the harness starts. */
import type { BrowserKind } from './find-browser.ts';

/** Without these flags the browser makes network requests at start, throttles background pages, or shows prompts. */
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
 * Features that a full Chromium uses for its own user interface in every window. Disabling the three WebUIOmnibox features alone halves the
 * cost of an episode (measured on Chromium 156: a new context opens two pages of its own in an extra renderer otherwise).
 */
const TRIMMED = ['--disable-extensions', '--disable-component-extensions-with-background-pages'];
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
/** For both kinds: features that make network requests or change pages on their own. */
const COMMON_FEATURES_OFF = ['Translate', 'MediaRouter', 'OptimizationHints', 'DialMediaRouteProvider'];
/**
 * With RenderDocument, the browser makes a new frame host and a new compositor for each document, also of the same site: an inner matter of the
 * browser, not of the web. Without it a navigation and its picture take 39 ms of CPU instead of 55 (measured on Chromium 156).
 */
const COSTLY_FEATURES_OFF = ['RenderDocument'];

export interface FlagOptions {
  kind: BrowserKind;
  profile: string;
  isRoot: boolean;
  /** With windows that people see. Only a full Chrome has them. */
  headed?: boolean | undefined;
  /** `--host-resolver-rules`, e.g. of the fixture server. */
  resolverRules?: string | undefined;
  extra?: readonly string[] | undefined;
}

export function browserFlags(options: FlagOptions): string[] {
  const featuresOff = [
    ...COMMON_FEATURES_OFF,
    ...COSTLY_FEATURES_OFF,
    ...(options.kind === 'chrome' ? TRIMMED_FEATURES : []),
  ];
  return [
    ...COMMON,
    ...(options.kind === 'chrome' && options.headed !== true ? ['--headless=new'] : []),
    ...(options.kind === 'chrome' ? TRIMMED : []),
    `--disable-features=${featuresOff.join(',')}`,
    // Chromium does not start as root with its sandbox.
    ...(options.isRoot ? ['--no-sandbox'] : []),
    ...(options.resolverRules ? [`--host-resolver-rules=${options.resolverRules}`] : []),
    `--user-data-dir=${options.profile}`,
    ...(options.extra ?? []),
  ];
}
