/**
 * Link-preview and search agents, by name. No general list of bots: it would hide every program
 * that opens pages (curl, fetch, headless browsers), and those count.
 */
const PREVIEW_AGENTS = new RegExp(
  [
    'Slackbot',
    'Slack-ImgProxy',
    'Twitterbot',
    'facebookexternalhit',
    'Facebot',
    'meta-externalagent',
    'LinkedInBot',
    'WhatsApp',
    'Discordbot',
    'TelegramBot',
    'SkypeUriPreview',
    'MicrosoftPreview',
    'Applebot',
    'Googlebot',
    'Google-InspectionTool',
    'AdsBot-Google',
    'bingbot',
    'BingPreview',
    'DuckDuckBot',
    'YandexBot',
    'Baiduspider',
    'PetalBot',
    'Pinterestbot',
    'redditbot',
    'Mastodon',
    'Iframely',
    'Embedly',
    'vkShare',
    'Viber',
    'Line-Poker',
    'Bluesky Cardyb',
  ].join('|'),
  'i',
)

export function isPreviewAgent(headers: Headers): boolean {
  return PREVIEW_AGENTS.test(headers.get('user-agent') ?? '')
}

/** A copy fetched ahead would be shown later, uncounted and perhaps after the link has closed. */
export function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose')
  return purpose !== null && /prefetch|prerender/i.test(purpose)
}

/** A script that would go on answering for a page after it has closed. */
export function isServiceWorker(headers: Headers): boolean {
  return headers.get('service-worker') === 'script'
}

export function wantsHtml(headers: Headers): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

export function isFrame(headers: Headers): boolean {
  const dest = headers.get('sec-fetch-dest')
  return dest !== null && /^(?:iframe|frame|embed|object|fencedframe)$/.test(dest)
}
