import { expect, it } from 'bun:test'
import { zstdDecompressSync } from 'node:zlib'
import { testApp } from '../../../testing/app.ts'
import { BROWSER } from '../../../testing/visitor.ts'

/** What a server may send before the first acknowledgement, without its headers (RFC 6928). */
const MAX_BYTES = 14_000
const HTML = '<!doctype html><title>Page</title><p>one<script>localStorage.x = 1</script>'
const CONVERSATIONS = {
  allow_comments: true,
  collect_approvals: true,
  approver_emails: ['ann@example.com'],
  collect_votes: true,
  poll_question: 'Which one?',
  poll_options: ['a', 'b'],
}

/** The document of a page's shell, as it is sent and as it is read. */
async function shells() {
  const app = await testApp('sqlite')
  const owner = await app.owner()
  const accepting = { ...BROWSER, 'accept-encoding': 'gzip, deflate, br, zstd' }
  const plain = await owner.publish(HTML, { og_title: 't'.repeat(200) })
  const full = await owner.publish(HTML, CONVERSATIONS)
  await owner.update(full.id, { html: `${HTML}two` })
  const signedIn = await app.signedIn(owner, accepting)
  const answers = await Promise.all([
    app.visitor(accepting).open(`/p/${plain.slug}`),
    app.visitor(accepting).open(`/p/${full.slug}`),
    signedIn.open(`/p/${plain.slug}`),
    signedIn.open(`/p/${full.slug}`),
  ])
  const all = await Promise.all(
    answers.map(async (answer) => {
      expect(answer.status).toBe(200)
      const encoding = answer.headers.get('content-encoding')
      const sent = Buffer.from(await answer.bytes())
      const text = (encoding === 'zstd' ? zstdDecompressSync(sent) : sent).toString()
      return { encoding, sent, text }
    }),
  )
  return { all, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

it('has its styles and scripts in it, and arrives with the first bytes of the connection', async () => {
  await using made = await shells()
  for (const { sent, encoding, text } of made.all) {
    if (encoding !== null) expect(sent.byteLength).toBeLessThan(MAX_BYTES)
    expect(text).toContain('data-files="/p/')
    expect(text).toContain('</html>')
  }
  const [plain, panel, owners, both] = made.all.map(({ text }) => text)
  for (const text of [panel!, both!]) expect(text).toContain('data-panel="{')
  for (const text of [owners!, both!]) expect(text).toContain('id="owner-bar"')
  expect(plain).not.toMatch(/owner-bar|data-panel/)
})

it('waits for no other request before it makes the frame', async () => {
  await using made = await shells()
  for (const { text } of made.all) {
    expect(text).not.toMatch(/<link rel="?(stylesheet|modulepreload|preload)/)
    const external = [...text.matchAll(/<script[^>]* src=[^>]*>/g)].map(([tag]) => tag)
    for (const tag of external) expect(tag).toMatch(/ async fetchpriority="low">$/)
  }
})

it('is sent as it is where it has the viewer’s own addresses', async () => {
  await using made = await shells()
  for (const { encoding, text } of made.all) {
    expect(encoding).toBe(text.includes('data-panel="{') ? null : 'zstd')
  }
})
