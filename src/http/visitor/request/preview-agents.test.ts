import { describe, expect, test } from 'bun:test'
import { isPreviewAgent } from './preview-agents.ts'

describe('an agent that previews or indexes links is recognised', () => {
  test.each([
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy 1.138 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2',
    'Mattermost-Bot/1.1',
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/56.0.2924.87 Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'Nextcloud Server Crawler',
    'Nextcloud-Server-Crawler/33.0.0',
    'Mozilla/5.0 (compatible; ZulipURLPreview/9.0; +https://zulip.example)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2227.0 Safari/537.36 Rocket.Chat/6.5.0',
    'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
    'NotionEmbedder',
    'Asana/1.4.0 WebsiteMetadataRetriever',
    'ClickUpLinkUnfurler/1.0 (+https://clickup.com)',
    'Mastodon/4.3.0 (http.rb/5.2.0; +https://mstdn.example/)',
    'Pleroma 2.6.0; https://host.example <admin@host.example>; Bot',
    'Discourse Forum Onebox v3.3.0.beta1-dev',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  ])('%s', (agent) => expect(isPreviewAgent(agent)).toBe(true))
})

describe('a program or a person is not', () => {
  test.each([
    '',
    'curl/8.5.0',
    'Wget/1.21.3',
    'node',
    'undici',
    'axios/1.7.9',
    'python-requests/2.32.3',
    'Go-http-client/1.1',
    'okhttp/4.12.0',
    'PostmanRuntime/7.43.0',
    'DiscordBot (https://github.com/discordjs/discord.js, 14.16.3)',
    'python-telegram-bot/21',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Rocket.Chat/4.1.2 Chrome/128.0.6613.36 Electron/32.0.1 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Flipboard/4.3.12',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Notion/3.15.0 Chrome/128.0.6613.36 Electron/32.0.1 Safari/537.36',
  ])('%s', (agent) => expect(isPreviewAgent(agent)).toBe(false))
})
