/**
 * Programs that fetch a page to show a preview of its link or to index it, by a part of their
 * `User-Agent` that no browser and no HTTP library sends. Beside each group is where the names
 * come from: the maker's documentation or source code, or, where the maker publishes none, a public
 * list of observed agents. General words such as "bot" are left out: they would match programs
 * whose requests count as views.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'https://api.slack.com/robots': ['Slackbot', 'Slack-ImgProxy'],
  'https://developers.facebook.com/docs/sharing/webmasters/crawler': [
    ...['facebookexternalhit', 'facebookcatalog', 'Facebot', 'meta-externalagent'],
    ...['meta-externalfetcher', 'meta-externalads', 'meta-webindexer'],
  ],
  'https://help.pinterest.com/business/article/pinterest-crawler': [
    ...['Pinterestbot', 'pinterest.com/bot'],
  ],
  'https://developers.snap.com/robots': ['Snap URL Preview'],
  'https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html': ['Yahoo Link Preview'],
  'https://iframely.com/docs/about, also for Trello, Jira, Confluence and Notion': ['Iframely/'],
  'https://flipboard.team/the-kitchen-sink': ['FlipboardProxy', 'FlipboardRSS'],
  'https://devtalk.kakao.com/t/scrap/33984': ['kakaotalk-scrap'],
  'https://developers.google.com/crawling/docs/crawlers-fetchers': [
    ...['Googlebot', 'Google-InspectionTool', 'GoogleOther', 'Storebot-Google', 'AdsBot-Google'],
    ...['Mediapartners-Google', 'APIs-Google', 'FeedFetcher-Google', 'Google-Safety'],
    ...['Google Favicon', 'GoogleMessages', 'Google-PageRenderer', 'GoogleImageProxy'],
    'developers.google.com/+/web/snippet',
  ],
  'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0': [
    ...['bingbot', 'adidxbot', 'BingPreview', 'BingVideoPreview', 'MicrosoftPreview'],
  ],
  'https://support.apple.com/en-us/119829': ['Applebot'],
  'https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html': [
    ...['yandex.com/bots', 'YandexBot'],
  ],
  'https://aspiegel.com/petalbot': ['PetalBot'],
  'https://help2.line.me/linesearchbot/web': ['Linespider'],
  'reddit-archive/reddit, r2/example.ini': ['redditbot'],
  'mastodon/mastodon, app/lib/request.rb': ['Mastodon/'],
  'misskey-dev/summaly, src/utils/got.ts': ['SummalyBot'],
  'Pleroma and Akkoma, lib/pleroma/web/rich_media/helpers.ex': ['Pleroma ', 'Akkoma '],
  'friendica/friendica, src/Network/HTTPClient': ['Friendica/', "Friendica '"],
  'LemmyNet/lemmy, crates/api_utils/src/request.rs': ['Lemmy/'],
  'mattermost/mattermost, server/public/shared/httpservice/client.go': ['Mattermost-Bot'],
  'element-hq/synapse, synapse/media/url_previewer.py, also for Element': ['Synapse (bot;'],
  'matrix-construct/tuwunel, src/core/info/version.rs': ['Tuwunel/', 'continuwuity/'],
  'nextcloud/server, lib/private/Http/Client/Client.php': [
    ...['Nextcloud Server Crawler', 'Nextcloud-Server-Crawler'],
  ],
  'zulip/zulip, zerver/lib/url_preview/preview.py': ['ZulipURLPreview'],
  'discourse/discourse, config/initializers/100-onebox_options.rb': ['Discourse Forum Onebox'],
  'keybase/client, go/chat/unfurl/scraper.go': ['+https://keybase.io'],
  'thelounge/thelounge, server/plugins/irc-events/link.ts': ['The Lounge IRC Client'],
  'revoltchat/backend, crates/services/january/src/requests.rs': ['compatible; January/'],
  'atmos/camo, server.coffee': ['github-camo', 'Camo Asset Proxy'],
  // Signal for Android and Signal Desktop also say `WhatsApp/2` (LinkPreviewRepository.java).
  'monperrus/crawler-user-agents and matomo-org/device-detector': [
    ...['Twitterbot', 'LinkedInBot', 'WhatsApp/', 'Discordbot/', 'TelegramBot (like'],
    ...['SkypeUriPreview', 'vkShare', 'OdklBot', 'ViberUrlDownloader', 'line-poker', 'GroupMeBot'],
    ...['DingTalkBot-LinkService', 'YahooMailProxy', 'Bluesky Cardyb', 'Embedly', 'bitlybot'],
    ...['BufferLinkPreviewBot', 'XING-contenttabreceiver', 'Chatwork LinkPreview'],
    ...['WebsiteMetadataRetriever', 'ClickUpLinkUnfurler', 'NotionEmbedder', 'atlassian-bot'],
    ...['web-crawlers@hubspot.com', 'web-crawlers+links@hubspot.com', 'HubSpot Page Fetcher'],
    ...['Mediumbot-MetaTagFetcher', 'Quora Link Preview', 'Quora-Bot', 'SubstackContentFetch'],
    ...['HatenaBookmark/', 'Hatena::', 'Hatena-Favicon', 'Bitrix link preview'],
    ...['EvernoteRichLinkBot', 'DuckDuckBot', 'DuckDuckGo-Favicons-Bot', 'DuckAssistBot'],
    ...['Baiduspider', 'naver.me/bot', 'Yahoo! Slurp', 'SeznamBot', 'Qwantbot', 'Qwantify'],
    ...['MojeekBot', 'Mail.RU_Bot', 'Sogou web spider', 'Kagibot'],
  ],
}

/**
 * Names that are part of other programs' agents: here they must be the whole agent, or its last
 * word. Rocket.Chat's server ends with its name (apps/meteor/app/oembed/server/server.ts), but the
 * agent of its desktop app continues after it.
 */
const WHOLE = String.raw`^(?:WhatsApp|Discordbot|TelegramBot|Viber)$|^Tumblr/| Rocket\.Chat/[\d.]+$`

const PREVIEW_AGENTS = new RegExp(
  [...Object.values(NAMES).flat().map(RegExp.escape), WHOLE].join('|'),
  'i',
)

export function isPreviewAgent(userAgent: string): boolean {
  return PREVIEW_AGENTS.test(userAgent)
}
