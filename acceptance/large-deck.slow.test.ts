/** A deck of 2,500 files and 470 MB, where `PLANS_FILE` allows it: its memory and its views. */
import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { html } from './material.ts'
import { handbill, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const MIB = 1024 * 1024
const SLOW = 1_200_000
const PAGES = 1000
const ASSETS = 1500
const ASSET_BYTES = 300_000
/** Well below the size of the deck. A slow machine collects garbage later: it had twice the memory. */
const MEMORY_MIB = 400
const folder = mkdtempSync(join(tmpdir(), 'handbill-large-'))

afterAll(async () => {
  await cleanUp()
  rmSync(folder, { recursive: true, force: true })
})

function peakMib(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}

/** Writes a site whose pages link to each other and show images. */
function writeSite(name: string, pages: number, assets: number): string {
  const site = join(folder, name)
  for (const inner of ['docs', 'img']) mkdirSync(join(site, inner), { recursive: true })
  writeFileSync(join(site, 'index.html'), html('start <a href="/docs/1.html">first</a>'))
  const text = '<p>Words of a page. <img src="/img/1.png" alt=""></p>'.repeat(300)
  for (let n = 1; n < pages; n += 1) {
    const next = `<a href="/docs/${(n % (pages - 1)) + 1}.html">Next</a>`
    writeFileSync(join(site, `docs/${n}.html`), html(`${n} ${next}${text}`))
  }
  const image = Buffer.from('89504e470d0a1a0a', 'hex')
  for (let n = 1; n <= assets; n += 1) {
    const bytes = Buffer.concat([image, randomBytes(ASSET_BYTES - 8)])
    writeFileSync(join(site, `img/${n}.bin`), bytes)
  }
  return site
}

/** Milliseconds of the middle one of many views. */
async function viewMs(url: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 200; n += 1) {
    const from = performance.now()
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    await answer.text()
    times.push(performance.now() - from)
  }
  return times.sort((a, b) => a - b)[100]!
}

test(
  'is published in bounded memory, also again, and viewed as fast as a small one',
  async () => {
    const env = freshEnvironment()
    env.PLANS_FILE = join(env.DATA_DIR!, '..', 'plans.json')
    const limits = { deck_files: 5000, deck_assets: 5000, deck_bytes: 500 * MIB }
    writeFileSync(env.PLANS_FILE, JSON.stringify({ pro: { limits } }))
    const server = await start(env)
    const HANDBILL_API_KEY = await newKey(env, 'pro')

    async function publish(site: string) {
      const child = Bun.spawn([handbill, 'publish', site, '--yes', '--json'], {
        cwd: folder,
        env: {
          PATH: process.env.PATH!,
          HOME: folder,
          HANDBILL_URL: env.BASE_URL!,
          HANDBILL_API_KEY,
        },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [text, errors] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      expect(await child.exited, errors).toBe(0)
      const { url } = JSON.parse(text) as { url: string }
      return { url, peak: child.resourceUsage()!.maxRSS / MIB }
    }
    const small = await publish(writeSite('small', 3, 2))
    const before = peakMib(server.pid)
    const site = writeSite('large', PAGES, ASSETS)
    const large = await publish(site)
    expect(peakMib(server.pid) - before).toBeLessThan(MEMORY_MIB)
    expect(large.peak - small.peak).toBeLessThan(250)

    writeFileSync(join(site, 'docs/7.html'), html('changed'))
    const again = await publish(site)
    expect(again.url).toBe(large.url)
    expect(await (await fetch(`${large.url}/docs/7.html`)).text()).toContain('changed')
    expect(peakMib(server.pid) - before).toBeLessThan(MEMORY_MIB)

    const views = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < 3; round += 1) {
      views.small.push(await viewMs(`${small.url}/docs/1.html`))
      views.large.push(await viewMs(`${large.url}/docs/999.html`))
    }
    expect(Math.min(...views.large)).toBeLessThan(1.5 * Math.min(...views.small) + 0.5)
    expect(await server.stop()).toBe(0)
  },
  SLOW,
)
