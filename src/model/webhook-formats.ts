/** What receivers of webhooks understand. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'teams'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Hosts and paths that take messages of a chat, by its format. */
const CHATS: readonly (readonly [WebhookFormat, host: RegExp, path: RegExp])[] = [
  ['slack', /^hooks\.slack(-gov)?\.com$/, /^\//],
  ['discord', /^((canary|ptb)\.)?discord(app)?\.com$/, /^\/api\/(v\d+\/)?webhooks\//],
  ['teams', /\.(logic\.azure\.com|webhook\.office\.com|powerplatform\.com)$/, /^\//],
]

/** The format that an address takes, as far as its host tells. */
export function formatOf(text: string): WebhookFormat {
  if (!URL.canParse(text)) return 'standard'
  const url = new URL(text)
  const chat = CHATS.find(([, host, path]) => host.test(url.hostname) && path.test(url.pathname))
  return chat?.[0] ?? 'standard'
}
