/** Runs Debian's Firefox for the tests that every browser must pass. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type HTTPRequest, type Page } from 'puppeteer-core'
import { guard } from './guardian.ts'
import type { Sent, Visited } from './isolation-visitor.ts'
import { sharedBrowser } from './test-browser.ts'

/**
 * Switches Firefox's own traffic off. All other traffic goes to a proxy that does not exist, so
 * only loopback is reachable.
 */
const OFFLINE_PREFERENCES = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.failover_direct': false,
  'network.proxy.allow_bypass': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.trr.mode': 5,
  'app.normandy.enabled': false,
  'browser.region.network.url': '',
  'dom.push.connection.enabled': false,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
}

/** Firefox of a file of tests, with windows for visitors. */
export const testFirefox = (): (() => Visited) => sharedBrowser(launchFirefox)

/** It ends with this process, and its profile, which is in a temporary folder. */
async function launchFirefox() {
  const home = mkdtempSync(join(tmpdir(), 'handbill-firefox-'))
  const saved = join(home, 'saved')
  mkdirSync(saved)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    userDataDir: join(home, 'profile'),
    env: { ...process.env, HOME: home },
    extraPrefsFirefox: { ...OFFLINE_PREFERENCES, ...savingInto(saved) },
    defaultViewport: { width: 1000, height: 700 },
  })
  guard([browser.process()!.pid!], home)
  async function newVisitor() {
    const context = await browser.createBrowserContext()
    const requests: Sent[] = []
    const listen = (request: HTTPRequest) => {
      requests.push({ method: request.method(), url: request.url(), headers: request.headers() })
    }
    async function newTab() {
      const tab = await context.newPage()
      tab.on('request', listen)
      return tab
    }
    context.on('targetcreated', async (target) => {
      // A worker is a target, too, and has no page.
      if (target.type() !== 'page') return
      const tab = await target.page()
      tab?.off('request', listen).on('request', listen)
    })
    const tab = await newTab()
    return {
      tab,
      problems: problemsOf(tab),
      sent: async () => requests,
      resize: (size: { width: number; height: number }) => tab.setViewport(size),
      newTab,
      tabs: () => context.pages(),
      async setCookie(url: string, name: string, value: string) {
        const { hostname } = new URL(url)
        const at = { domain: hostname, path: '/', httpOnly: true, sameSite: 'Lax' as const }
        await context.setCookie({ ...at, name, value })
      },
      saved: async () => readAll(saved),
      leave: () => context.close(),
    }
  }
  return {
    newVisitor,
    isConnected: () => browser.connected,
    contexts: () =>
      browser.browserContexts().filter((each) => each !== browser.defaultBrowserContext()),
  }
}

/** Without asking anybody. */
function savingInto(folder: string) {
  return {
    'browser.download.folderList': 2,
    'browser.download.dir': folder,
    'browser.download.useDownloadDir': true,
    'browser.download.alwaysOpenPanel': false,
    'browser.download.always_ask_before_handling_new_types': false,
  }
}

/** Without those that Firefox is still writing: it renames them once they are whole. */
function readAll(folder: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.part') && existsSync(path)) files[name] = readFileSync(path, 'utf8')
  }
  return files
}

function problemsOf(tab: Page): string[] {
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(String(error)))
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}
