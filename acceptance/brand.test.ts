/** How an owner presents themselves to visitors: name, accent and logo. */
import { expect } from 'bun:test'
import { sized } from '../src/testing/sized-pictures.ts'
import { ask, OURS, sessionOf } from './app-session.ts'
import { browser, type Fields, send } from './client.ts'
import { everyCase } from './expect.ts'
import { newOwner, own, publishGated, signedIn } from './gates/setup.ts'
import { base64, html, pdf, word } from './material.ts'

async function withBrand() {
  const owner = await newOwner()
  const session = { ...OURS, ...sessionOf(await signedIn(owner.email)) }
  const change = async (changes: Fields) => {
    const { text } = await ask('PATCH', '/account', session, changes)
    return JSON.parse(text).data as { logo: string }
  }
  const logo_base64 = base64(sized.png(90, 30))
  const { logo } = await change({ name: 'Ann Li', accent: 'violet', logo_base64 })
  return { owner, change, logo }
}

const AGENTS = [
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', '*/*'],
  ['Twitterbot/1.0', 'text/html'],
  ['WhatsApp/2.23', 'image/webp,image/*,*/*;q=0.8'],
  ['facebookexternalhit/1.1', 'application/json'],
  ['Mozilla/5.0 (compatible; Discordbot/2.0)', 'text/markdown, text/html;q=0.5'],
] as const

own(
  'the owner’s name, accent and logo are on gates, notices and viewer, and their address is nowhere',
  async () => {
    const { owner, logo } = await withBrand()
    await everyCase(
      [
        ['password', { access: 'password' }],
        ['email', { access: 'email_gate' }],
        ['people', { access: 'people', allowed_emails: ['bo@example.com'] }],
        ['expired', { expires_at: '2020-01-01T00:00:00Z' }],
      ] as const,
      async (settings) => {
        const { path, hidden } = await publishGated(owner, settings)
        const { text } = await send(path, { headers: browser })
        expect(text).toContain('Ann Li shared this with you')
        expect(text).toContain(`src="${logo}"`)
        expect(text).toContain('data-accent="violet"')
        for (const words of [owner.email, ...hidden]) expect(text).not.toContain(words)
      },
    )
    const file = { file_base64: base64(pdf()), filename: `${word('plan')}.pdf` }
    const { slug } = await owner.publish(file)
    const { text } = await send(`/p/${slug}`, { headers: browser })
    expect(text).toContain('<span>Ann Li</span>')
    expect(text).not.toContain(owner.email)
    const own = await publishGated(owner, { access: 'private' })
    expect((await send(own.path, { headers: browser })).text).not.toContain('Ann Li')
    const picture = await send(logo)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  },
)

own(
  'the picture of a link is made of title, owner and accent, for agents of chats with any Accept',
  async () => {
    const { owner, change } = await withBrand()
    const { slug, id, url } = await owner.publish({ html: html('x', word('Plan')) })
    await everyCase(AGENTS, async (accept, agent) => {
      const headers = { 'user-agent': agent, accept }
      const page = await send(`/p/${slug}`, { headers })
      expect(page.text).toContain(`<meta property="og:image" content="${url}/~/preview.png">`)
      const picture = await send(`/p/${slug}/~/preview.png`, { headers })
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    })
    const seen = new Set<string | null>()
    const look = async () => seen.add((await send(`/p/${slug}/~/preview.png`)).headers.get('etag'))
    await look()
    await change({ name: 'Bo' })
    await look()
    await change({ accent: 'red' })
    await look()
    await owner.update(id, { og_title: 'Another' })
    await look()
    expect(seen.size).toBe(4)
  },
)
