/**
 * Browsers by a part of their `User-Agent`. The order matters: most of them say that they are
 * Chrome too, and Chrome says that it is Safari.
 */
const BROWSERS: readonly (readonly [part: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|OPT|OPX)\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:FBAN|FBAV|Instagram|LinkedInApp|MicroMessenger|Slack|Teams)\b/, 'App'],
  [/\b(?:Firefox|FxiOS|Focus)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\bMSIE |\bTrident\//, 'Internet Explorer'],
  [/\bAppleWebKit\//, 'App'],
]
/** Longer ones are cut: no browser sends as much. */
const MAX_CHARS = 500

/**
 * The client that a `User-Agent` names, as coarse as a report needs it; null where it is unknown. A
 * program without `Mozilla/` is not a browser.
 */
export function readUserAgent(header: string) {
  const text = header.slice(0, MAX_CHARS)
  if (text === '') return { device: null, browser: null }
  if (!/^(?:Mozilla|Opera)\//.test(text)) return { device: 'program', browser: null }
  const browser = BROWSERS.find(([part]) => part.test(text))?.[1] ?? null
  return { device: deviceOf(text), browser }
}

function deviceOf(text: string) {
  if (/\biPad\b|\bTablet\b|\bKindle\b|\bSilk\//.test(text)) return 'tablet'
  // Android tablets leave out the word that phones have.
  if (/\bAndroid\b/.test(text)) return /\bMobile\b/.test(text) ? 'phone' : 'tablet'
  if (/\biPhone\b|\biPod\b|\bMobile\b|\bPhone\b/.test(text)) return 'phone'
  if (/\bWindows\b|\bMacintosh\b|\bX11\b|\bCrOS\b|\bLinux\b/.test(text)) return 'desktop'
  return null
}
